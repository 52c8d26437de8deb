import { IconHistory } from '@tabler/icons-react';
import { useEffect } from 'react';
import { BareButton } from '@/components/ui/bare-button';
import { useReading, useViewActions } from '@/components/fleet-state/fleet-context';
import { useAnnounce } from '@/components/ui/announcer';
import { useClockMs } from '@/components/ui/use-now';
import { pastLabel } from '@/lib/view/format';
import styles from './freshness-pill.module.css';

/** Which moment in the past the screen shows; pressed, the screen is live again. */
export const PastPill = () => {
  const { past } = useReading();
  const { showPast } = useViewActions();
  const announce = useAnnounce();
  const clockMs = useClockMs();
  useEffect(() => () => announce('Back to live'), [announce]);
  if (past === null) return null;
  return (
    <BareButton className={`lh-note ${styles.pill}`} data-state="past" onClick={() => showPast(null, 'step')}>
      <IconHistory size={16} stroke={2} aria-hidden="true" />
      {pastLabel(past.atMs, clockMs)}
      <span className="visually-hidden">. Back to live</span>
    </BareButton>
  );
};
