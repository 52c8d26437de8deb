import { useComputedColorScheme } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import Link from 'next/link';
import type { HTMLAttributes } from 'react';
import { useUsdot } from '@/components/fleet-state/fleet-context';
import { totalsText } from '@/lib/past/text';
import { Needle, Segments } from '../day-bar';
import dayStyles from '../day.module.css';
import type { DayPlayer } from '@/components/trail/day-player';
import styles from './compare.module.css';
import { toTruckStyle, type TruckStyle } from '@/components/trail/truck-style';
import type { ComparedTruck } from './compared';

/** The line of a truck as it is on the map. */
const Swatch = ({ color, dash }: TruckStyle) => (
  <svg className={styles.swatch} width="40" height="10" aria-hidden="true">
    <line x1="1" y1="5" x2="39" y2="5" stroke={color} strokeWidth="4" strokeDasharray={dash.join(' ')} />
  </svg>
);

interface ComparedBarsProps {
  trucks: readonly ComparedTruck[];
  zone: string;
  player: DayPlayer;
  /** What the pointer does on a bar: it shows the moment, or goes there. */
  pointer: HTMLAttributes<HTMLElement>;
  onRemove: (vin: string) => void;
}

/** A bar and the totals of each other truck, on the axis of the page's own truck. */
export const ComparedBars = ({ trucks, zone, player, pointer, onRemove }: ComparedBarsProps) => {
  const theme = useComputedColorScheme('light');
  const usdot = useUsdot();
  return (
    <ul className={styles.trucks} aria-label="Compared trucks">
      {trucks.map(({ vin, title, day, problem }, index) => (
        <li key={vin}>
          <div className={styles.head}>
            <Swatch {...toTruckStyle(index, theme)} />
            <Link href={`/fleets/${usdot}/units/${vin}?view=day`} prefetch={false}>
              {title}
            </Link>
            <span>{problem ?? (day === null ? 'loading…' : totalsText(day.totals))}</span>
            <button type="button" aria-label={`Remove ${title}`} onClick={() => onRemove(vin)}>
              <IconX size={16} aria-hidden="true" />
            </button>
          </div>
          <div className={`${dayStyles.bar} ${styles.bar}`} {...pointer}>
            {day === null ? null : (
              <>
                <Segments day={day} zone={zone} />
                <Needle day={day} player={player} />
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
};
