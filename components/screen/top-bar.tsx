'use client';

import Link from 'next/link';
import { FleetItems } from '@/components/fleet-switcher/fleet-items';
import { FleetSwitcher } from '@/components/fleet-switcher/fleet-switcher';
import { useUsdot } from './fleet-context';
import { FreshnessPill } from './freshness-pill';
import { PhoneMenu } from './navigation';
import type { Places } from './places';
import { SearchField } from './search-field';
import { ThemeSwitch } from './theme-switch';
import styles from './top-bar.module.css';

/** Whose fleet it is, what is looked for, and how old all of it is. */
export const TopBar = ({ places }: { places: Places }) => (
  <header className={styles.bar}>
    <div className={styles.left}>
      <Link
        href={`/fleets/${useUsdot()}`}
        prefetch={false}
        className={styles.brand}
        aria-label="Linehaul, live map"
      >
        <svg className={styles.sign} viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" fill="var(--lh-accent)" />
          <path d="M25.5 16 8 24.5 11.6 16 8 7.5z" fill="var(--lh-on-accent)" />
        </svg>
        <span className={styles.word}>Linehaul</span>
      </Link>
      <div className={styles.carrier}>
        <FleetSwitcher />
      </div>
    </div>
    <SearchField />
    <div className={styles.right}>
      <FreshnessPill />
      <div className={styles.theme}>
        <ThemeSwitch />
      </div>
      <PhoneMenu places={places} fleets={<FleetItems />} />
    </div>
  </header>
);
