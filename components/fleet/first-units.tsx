import { useState } from 'react';
import { useFirstFleet, useReading } from '@/components/fleet-state/fleet-context';
import { STATUSES } from '@/lib/motion/status';
import styles from './first-units.module.css';

/** The units as of the HTML, as dots where the map is about to draw them; hidden once it has. */
export const FirstUnits = () => {
  const [first] = useState(useFirstFleet()?.map ?? null);
  const { failure } = useReading();
  if (first === null || failure !== null) return null;
  const { size, paths } = first;
  return (
    <div className={styles.units} data-fitted={size !== null} aria-hidden="true">
      <svg viewBox={size === null ? undefined : `0 0 ${size.join(' ')}`}>
        {STATUSES.map((status) => (
          <path key={status} d={paths[status]} stroke={`var(--lh-${status})`} />
        ))}
      </svg>
    </div>
  );
};
