'use client';

import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Announcer } from './announcer';
import { FleetProvider } from './fleet-context';
import styles from './fleet-shell.module.css';
import { KeyboardHelp } from './keyboard-help';
import { isPlainKey, isTyping } from './keys';
import { Rail } from './navigation';
import { NoticesProvider } from './notices';
import { TopBar } from './top-bar';

/** What every page of a fleet sits in: the bar and the rail, and what pages share. */
export const FleetShell = ({ usdot, children }: { usdot: string; children: ReactNode }) => {
  const [isHelpOpen, setHelpOpen] = useState(false);

  useEffect(() => {
    const openHelp = (event: KeyboardEvent) => {
      if (event.key === '?' && isPlainKey(event) && !isTyping(event.target)) setHelpOpen(true);
    };
    window.addEventListener('keydown', openHelp);
    return () => window.removeEventListener('keydown', openHelp);
  }, []);

  return (
    <FleetProvider usdot={usdot}>
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
    </FleetProvider>
  );
};
