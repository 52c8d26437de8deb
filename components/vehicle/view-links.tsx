import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { toMapLink } from '@/components/fleet-state/map-link';
import styles from './vehicle-page.module.css';

interface ViewLinksProps {
  isDay: boolean;
  /** The day may be opened next. */
  onWanted: () => void;
}

/** The views of a vehicle's page, which all are at its address. */
export const ViewLinks = ({ isDay, onWanted }: ViewLinksProps) => {
  const path = usePathname();
  return (
    <nav className={styles.views} aria-label="Views of this vehicle">
      <Link {...toMapLink(path)} aria-current={isDay ? undefined : 'page'}>
        Live
      </Link>
      <Link
        {...toMapLink(`${path}?view=day`)}
        aria-current={isDay ? 'page' : undefined}
        onPointerEnter={onWanted}
        onFocus={onWanted}
      >
        Day
      </Link>
    </nav>
  );
};
