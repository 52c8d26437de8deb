import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Link } from '@/components/ui/link';
import { MINUTE_MS } from '@/lib/base/time';
import { useShares } from '@/lib/shares/queries';
import { endText, openedText, placeOf } from '@/lib/shares/text';
import { formatWhole } from '@/lib/view/format';
import styles from './shares.module.css';
import { useShareReading } from './use-share-reading';

/** Panels stay open for long, and the list is one of the whole fleet. */
const EVERY_MS = MINUTE_MS;

const MOST_NAMED = 4;

interface OpenSharesProps {
  loadIds: readonly number[];
  /** The key of a truck; null: only the loads are meant. */
  unit: string | null;
}

/** The open links that show a truck or its loads, each with the way to it; nothing without one. */
export const OpenShares = ({ loadIds, unit }: OpenSharesProps) => {
  const usdot = useUsdot();
  const reading = useShareReading();
  const open = (useShares(usdot, EVERY_MS).data ?? []).filter(
    ({ state, items }) =>
      state === 'open' &&
      items.some((item) => (item.loadId === null ? item.unit === unit : loadIds.includes(item.loadId))),
  );
  return open.length === 0 ? null : (
    <section className={styles.open}>
      <h3 className="lh-head">Shared</h3>
      <ul className="lh-list">
        {open.slice(0, MOST_NAMED).map((share) => (
          <li key={share.id}>
            With{' '}
            <Link className="lh-link" href={`/fleets/${usdot}/links/${share.id}`}>
              <b>{share.recipient}</b>
            </Link>{' '}
            until {endText(share, placeOf(share, reading), reading.nowMs)}
            <span className="lh-note"> · {openedText(share, reading.nowMs)}</span>
          </li>
        ))}
        {open.length > MOST_NAMED ? (
          <li>
            <Link className="lh-link" href={`/fleets/${usdot}/links`}>
              {formatWhole(open.length - MOST_NAMED)} more
            </Link>
          </li>
        ) : null}
      </ul>
    </section>
  );
};
