import { BareButton } from '@/components/ui/bare-button';
import { useView, useViewActions } from '@/components/fleet-state/fleet-context';
import { useOldCopy } from '@/components/fleet-state/old-copy';
import type { FleetCounts } from '@/lib/view/filter';
import { formatShortCount, formatWhole } from '@/lib/view/format';
import { STATUS_LABELS } from '@/lib/view/text';
import { STATUSES, type Status } from '@/lib/motion/status';
import styles from './list-pane.module.css';

/** From this many characters on a count would touch its neighbors at full size: "2,093", "64.8k". */
const LONG = 5;

/** How many units are in each status, null before the first answer; pressed, a number filters by its status. */
export const Counters = ({ counts, onFilter }: { counts: FleetCounts | null; onFilter: () => void }) => {
  const old = useOldCopy();
  const { statuses, flagged } = useView();
  const { toggleStatus, toggleFlagged } = useViewActions();
  const press = (isPressed: boolean, toggle: () => void) => (): void => {
    toggle();
    if (!isPressed) onFilter();
  };
  return (
    <div role="group" aria-label="Filter by status" className={styles.counters}>
      {old === null ? null : <p className={styles.asOf}>As of {old.at}</p>}
      {STATUSES.map((status) => (
        <Counter
          key={status}
          name={status}
          label={STATUS_LABELS[status]}
          count={counts?.byStatus[status] ?? null}
          isDimmed={old !== null}
          isPressed={statuses.includes(status)}
          onPress={press(statuses.includes(status), () => toggleStatus(status))}
        />
      ))}
      <Counter
        name="flag"
        label="Check"
        count={counts?.flagged ?? null}
        isDimmed={old !== null}
        isPressed={flagged}
        onPress={press(flagged, toggleFlagged)}
      />
    </div>
  );
};

interface CounterProps {
  name: Status | 'flag';
  label: string;
  count: number | null;
  /** The count is of an old copy: not in the color of now. */
  isDimmed: boolean;
  isPressed: boolean;
  onPress: () => void;
}

const Counter = ({ name, label, count, isDimmed, isPressed, onPress }: CounterProps) => (
  <BareButton
    className={`lh-row ${styles.counter}`}
    style={{ color: isDimmed || !count ? 'var(--lh-dim)' : `var(--lh-${name}-text)` }}
    aria-pressed={isPressed}
    onClick={onPress}
  >
    <span
      className={styles.count}
      data-empty={!count}
      data-long={count !== null && formatShortCount(count).length >= LONG}
      title={count === null ? undefined : formatWhole(count)}
    >
      {count === null ? '–' : formatShortCount(count)}
    </span>
    <span className={`lh-small ${styles.label}`}>{label}</span>
  </BareButton>
);
