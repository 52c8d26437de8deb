import Link from 'next/link';
import { Suspense } from 'react';
import { BrandSign } from '@/components/layout/brand-sign';
import { DemoNote } from '@/components/layout/shell';
import { AlertBell } from '../alert-bell/alert-bell';
import { FleetSwitcher, fleetItems } from './fleet-switcher';
import { useReading, useUsdot } from '../fleet-state/fleet-context';
import { toMapLink } from '../fleet-state/map-link';
import { onDemand } from '../ui/popup/on-demand';
import { FreshnessPill } from './freshness-pill';
import { PhoneMenu } from '../layout/navigation';
import type { Destinations } from '../layout/destinations';
import { SearchField } from './search-field';
import { ThemeSwitch } from '../layout/menus/theme-switch';
import styles from './top-bar.module.css';

const pastPill = onDemand(() => import('../past/past-pill').then(({ PastPill }) => PastPill));

/** The bar of every fleet page: the carrier, the search field and the age of the data. */
export const TopBar = ({ destinations }: { destinations: Destinations }) => (
  <header className={styles.bar}>
    <div className={styles.left}>
      <Link {...toMapLink(`/fleets/${useUsdot()}`)} className={styles.brand} aria-label="Linehaul, live map">
        <BrandSign />
        <span className={styles.word}>Linehaul</span>
      </Link>
      <div className={styles.carrier}>
        <FleetSwitcher />
      </div>
    </div>
    <SearchField />
    <div className={styles.right}>
      {useReading().past === null ? (
        <>
          <DemoNote />
          <FreshnessPill />
        </>
      ) : (
        <Suspense>
          <pastPill.Part />
        </Suspense>
      )}
      <AlertBell />
      <div className={styles.theme}>
        <ThemeSwitch />
      </div>
      <PhoneMenu destinations={destinations} fleets={<fleetItems.Part />} />
    </div>
  </header>
);
