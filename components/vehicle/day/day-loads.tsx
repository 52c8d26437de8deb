import { useUsdot } from '@/components/fleet-state/fleet-context';
import { Link } from '@/components/ui/link';
import { useTruckLoads, type TruckLoad } from '@/lib/loads/truck-loads';
import { formatMoment } from '@/lib/view/format';
import styles from './day.module.css';
import type { DayRange } from './use-day';

/** The loads that a truck had on its day, each from when to when. */
export const DayLoads = ({ vin, range, zone }: { vin: string; range: DayRange; zone: string }) => {
  const usdot = useUsdot();
  const { fromMs, toMs, everyMs } = range;
  const { data } = useTruckLoads(usdot, vin, range, everyMs);
  if (!data || data.loads.length === 0) return null;
  const timeOf = (atMs: number): string => formatMoment(atMs, fromMs, zone);
  const spanText = (load: TruckLoad): string => {
    const from = load.fromMs < fromMs ? '' : `from ${timeOf(load.fromMs)}`;
    const until = load.toMs === null || load.toMs >= toMs ? '' : `until ${timeOf(load.toMs)}`;
    return [from, until].filter(Boolean).join(' ') || 'all day';
  };
  return (
    <section className={styles.loads} aria-label="Loads">
      <h2 className="lh-head">{data.loads.length === 1 ? 'Load' : 'Loads'}</h2>
      <ul className="lh-list">
        {data.loads.map((load) => (
          <li key={`${load.id} ${load.fromMs}`}>
            <Link className="lh-link" href={`/fleets/${usdot}/loads/${load.id}`}>
              {load.reference}
            </Link>
            {load.customer === '' ? '' : ` · ${load.customer}`}
            <small>{spanText(load)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
};
