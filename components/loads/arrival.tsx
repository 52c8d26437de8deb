import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Link } from '@/components/ui/link';
import type { Load } from '@/lib/loads/load';
import { appointmentText, nextStopOf, noWindowText, toBoardVerdict, windowText } from '@/lib/loads/text';
import styles from './loads.module.css';

/** The reference, which leads to the load's page. */
export const LoadLink = ({ load }: { load: Pick<Load, 'id' | 'reference'> }) => (
  <Link className="lh-link" href={`/fleets/${useUsdot()}/loads/${load.id}`}>
    <b>{load.reference}</b>
  </Link>
);

/** A range of times that breaks between its two times only: the spaces within them do not break. */
const toUnbroken = (times: string): string => times.replaceAll(' ', '\u00A0');

/** When the truck is to be at its next stop. */
export const NextAppointment = ({ load, nowMs }: { load: Load; nowMs: number }) => {
  const stop = nextStopOf(load);
  if (stop === null) return <span className="lh-dim">–</span>;
  if (stop.appointment === null) return <span className="lh-dim">none</span>;
  return toUnbroken(appointmentText(stop, nowMs));
};

/** When the truck is at its next stop: a window, or why there is none, where its verdict does not say so. */
export const Arrival = ({ load, nowMs }: { load: Load; nowMs: number }) => {
  const stop = nextStopOf(load);
  if (stop === null) return <span className="lh-dim">–</span>;
  if (load.state.startsWith('at')) return 'at the stop';
  const { window } = load;
  if (window === null) {
    const reason = toBoardVerdict(load) === 'unknown' ? '' : `: ${noWindowText(load)}`;
    return <span className="lh-dim">no estimate{reason}</span>;
  }
  return <b className={styles.window}>{toUnbroken(windowText(window, nowMs, stop.timeZone))}</b>;
};
