import { IconAlertTriangle } from '@tabler/icons-react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { useAlertPages } from '@/lib/alerts/queries';
import type { Load } from '@/lib/loads/load';
import { attentionText } from '@/lib/loads/text';
import styles from './loads.module.css';

/** Says whether an open alert is about a load that does not near its stop. */
export const useIsStill = (): ((load: Load) => boolean) => {
  const { data } = useAlertPages(useUsdot(), true);
  const ids = new Set(
    data?.pages.flatMap(({ alerts }) =>
      alerts.flatMap(({ facts: { condition, load } }) =>
        condition.kind === 'loadNotMoving' && load !== undefined ? [load.id] : [],
      ),
    ),
  );
  return ({ id }) => ids.has(id);
};

interface AttentionProps {
  load: Load;
  isStill: boolean;
  nowMs: number;
}

/** What of a load needs someone, beside its verdict; renders nothing where nothing does. */
export const Attention = ({ load, isStill, nowMs }: AttentionProps) => {
  const text = attentionText(load, isStill, nowMs);
  return text === null ? null : (
    <span className={styles.attention} title={text}>
      <IconAlertTriangle size={15} stroke={2} aria-hidden="true" />
      {text}
    </span>
  );
};
