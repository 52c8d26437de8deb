'use client';

import { Link } from '@/components/ui/link';
import type { ReactNode } from 'react';
import type { Viewer } from '@/lib/base/viewer';
import { useServerDestinations } from './destinations';
import { PhoneMenu, Rail } from './navigation';
import { Brand } from './brand';
import { PrintHead } from './print';
import { DemoNote, Shell } from './shell';
import styles from './shell.module.css';
import { ThemeSwitch } from './menus/theme-switch';
import { ViewerProvider } from './viewer-context';

export const PageShell = ({ viewer, children }: { viewer: Viewer; children: ReactNode }) => {
  const destinations = useServerDestinations(viewer);
  const bar = (
    <header className={styles.bar}>
      <Link href="/" prefetch={false} className="lh-brand" aria-label="Linehaul, live map">
        <Brand />
      </Link>
      <DemoNote />
      <div className={styles.theme}>
        <ThemeSwitch />
      </div>
      <PhoneMenu destinations={destinations} />
    </header>
  );
  return (
    <ViewerProvider viewer={viewer}>
      <Shell bar={bar} rail={<Rail destinations={destinations} />} printHead={<PrintHead />}>
        {children}
      </Shell>
    </ViewerProvider>
  );
};
