'use client';

import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { FleetSource } from '@/lib/view/demo';
import { Announcer } from './announcer';
import { FleetProvider } from './fleet-context';
import styles from './fleet-shell.module.css';
import { KeyboardHelp } from './keyboard-help';
import { isPlainKey, isTyping } from './keys';
import { Rail } from './navigation';
import { BuildProvider } from './newer-build';
import { NoticesProvider } from './notices';
import { TopBar } from './top-bar';

interface FleetShellProps {
  usdot: string;
  source: FleetSource;
  /** There are others to switch to. */
  hasOtherFleets: boolean;
  /** The build that rendered the page; null in development. */
  build: string | null;
  children: ReactNode;
}

/** What every page of a fleet sits in: the bar and the rail, and what pages share. */
export const FleetShell = ({ usdot, source, hasOtherFleets, build, children }: FleetShellProps) => {
  const [isHelpOpen, setHelpOpen] = useState(false);

  useEffect(() => {
    const openHelp = (event: KeyboardEvent) => {
      if (event.key === '?' && isPlainKey(event) && !isTyping(event.target)) setHelpOpen(true);
    };
    window.addEventListener('keydown', openHelp);
    return () => window.removeEventListener('keydown', openHelp);
  }, []);

  return (
    <FleetProvider usdot={usdot} source={source} hasOtherFleets={hasOtherFleets}>
      <BuildProvider build={build}>
        <Announcer>
          <div className={styles.shell}>
            <TopBar />
            <Rail onHelp={() => setHelpOpen(true)} />
            <main className={styles.main}>
              <NoticesProvider>{children}</NoticesProvider>
            </main>
          </div>
          <KeyboardHelp opened={isHelpOpen} onClose={() => setHelpOpen(false)} />
        </Announcer>
      </BuildProvider>
    </FleetProvider>
  );
};
