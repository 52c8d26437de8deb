'use client';

import Link from 'next/link';
import { DemoNote } from '@/components/layout/demo-note';
import { FleetItems } from './fleet-items';
import { FleetSwitcher } from './fleet-switcher';
import { BrandSign } from '../ui/brand-sign';
import { useUsdot } from '../fleet-state/fleet-context';
import { FreshnessPill } from './freshness-pill';
import { PhoneMenu } from '../layout/navigation';
import type { Destinations } from '../layout/destinations';
import { SearchField } from './search-field';
import { ThemeSwitch } from '../layout/theme-switch';
import styles from './top-bar.module.css';

/** Whose fleet it is, what is looked for, and how old all of it is. */
export const TopBar = ({ destinations }: { destinations: Destinations }) => (
  <header className={styles.bar}>
    <div className={styles.left}>
      <Link
        href={`/fleets/${useUsdot()}`}
        prefetch={false}
        className={styles.brand}
        aria-label="Linehaul, live map"
      >
        <BrandSign />
        <span className={styles.word}>Linehaul</span>
      </Link>
      <div className={styles.carrier}>
        <FleetSwitcher />
      </div>
    </div>
    <SearchField />
    <div className={styles.right}>
      <DemoNote />
      <FreshnessPill />
      <div className={styles.theme}>
        <ThemeSwitch />
      </div>
      <PhoneMenu destinations={destinations} fleets={<FleetItems />} />
    </div>
  </header>
);
