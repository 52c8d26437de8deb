'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { DemoNote } from './demo-note';
import { ViewerProvider, useViewer } from './viewer-context';
import type { Viewer } from '@/lib/auth/viewer';
import { BrandSign } from '../ui/brand-sign';
import { PhoneMenu, Rail } from './navigation';
import styles from './page-shell.module.css';
import { useServerDestinations } from './destinations';
import type { Destinations } from './destinations';
import { Shell } from './shell';
import { ThemeSwitch } from './theme-switch';

interface PageShellProps {
  viewer: Viewer;
  children: ReactNode;
}

/** What every page sits in that belongs to no fleet: the bar, the rail and who is signed in. */
export const PageShell = ({ viewer, children }: PageShellProps) => (
  <ViewerProvider viewer={viewer}>
    <Frame>{children}</Frame>
  </ViewerProvider>
);

const Frame = ({ children }: { children: ReactNode }) => {
  const destinations = useServerDestinations(useViewer());
  return (
    <Shell bar={<Bar destinations={destinations} />} rail={<Rail destinations={destinations} />}>
      {children}
    </Shell>
  );
};

const Bar = ({ destinations }: { destinations: Destinations }) => (
  <header className={styles.bar}>
    <Link href="/" prefetch={false} className={styles.brand} aria-label="Linehaul, live map">
      <BrandSign />
      Linehaul
    </Link>
    <DemoNote />
    <div className={styles.theme}>
      <ThemeSwitch />
    </div>
    <PhoneMenu destinations={destinations} />
  </header>
);
