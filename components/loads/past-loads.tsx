import { useUsdot } from '@/components/fleet-state/fleet-context';
import { pastStateText } from '@/lib/loads/past-loads';
import { usePastLoads } from '@/lib/loads/queries';
import { LoadLink } from './arrival';
import styles from './loads.module.css';

/** The loads that a truck had at a moment in the past, and what they did then. */
export const PastLoads = ({ ids, atMs }: { ids: readonly number[]; atMs: number }) => {
  const loads = usePastLoads(useUsdot(), { atMs }).data?.loads.filter(({ id }) => ids.includes(id)) ?? [];
  return (
    <ul className={`lh-list ${styles.ofUnit}`}>
      {loads.map((load) => (
        <li key={load.id}>
          <p>
            <LoadLink load={load} /> <span className="lh-note">{load.customer}</span>
          </p>
          <p>{pastStateText(load, atMs)}</p>
        </li>
      ))}
    </ul>
  );
};
