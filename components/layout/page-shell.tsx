'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import { DemoNote } from './demo-note';
import { ViewerProvider, useViewer } from './viewer-context';
import type { Viewer } from '@/lib/auth/viewer';
import { BrandSign } from '../ui/brand-sign';
import { PhoneMenu, Rail } from './navigation';
import styles from './page-shell.module.css';
import { useServerPlaces } from './destinations';
import type { Places } from './destinations';
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
  const places = useServerPlaces(useViewer());
  return (
    <Shell bar={<Bar places={places} />} rail={<Rail places={places} />}>
      {children}
    </Shell>
  );
};

const Bar = ({ places }: { places: Places }) => (
  <header className={styles.bar}>
    <Link href="/" prefetch={false} className={styles.brand} aria-label="Linehaul, live map">
      <BrandSign />
      Linehaul
    </Link>
    <DemoNote />
    <div className={styles.theme}>
      <ThemeSwitch />
    </div>
    <PhoneMenu places={places} />
  </header>
);
