'use client';

import { Button, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconRefresh, IconX } from '@tabler/icons-react';
import { createContext, useContext, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { isolated } from '@/lib/view/unit-name';
import { useIsWallScreen } from '@/components/layout/viewer-context';
import { useTryNow } from '@/lib/browser/live';
import { useReading, useUsdot } from '../fleet-state/fleet-context';
import { reloadPage, useNewerBuild } from '../fleet-state/newer-build';
import styles from './notices.module.css';
import { useCarrierAccount } from '../fleet-state/use-carrier-account';
import { useFreshness } from '../fleet-state/use-freshness';

interface Notice {
  /** Closing a notice closes this one, not the next of its kind. */
  key: string;
  tone: 'delayed' | 'lost' | 'foreign' | 'news';
  words: string;
  action?: { words: string; onPress: () => void; isBusy?: boolean };
}

/** The button of a notice that ends the server's wait; none where it does not wait, and for a wall screen. */
const useTryNowAction = (): { action: Notice['action']; refusal: string } => {
  const { mutate, isPending, error } = useTryNow(useUsdot());
  const { fleet, failure } = useReading();
  const isWallScreen = useIsWallScreen();
  const waits = failure === null && fleet !== null && fleet.feed.nextAttemptAtMs !== null;
  if (!waits || isWallScreen) return { action: undefined, refusal: '' };
  return {
    action: { words: 'Try now', onPress: () => mutate(), isBusy: isPending },
    refusal: error === null ? '' : ` ${error.message}`,
  };
};

const useNotices = (): Notice[] => {
  const usdot = useUsdot();
  const { fleet, failure } = useReading();
  const { state, sentence } = useFreshness();
  const account = useCarrierAccount();
  const newerBuild = useNewerBuild();
  const tryNow = useTryNowAction();
  const notices: Notice[] = [];
  // Where nothing has come yet, the page itself stands empty and says why.
  const hasData = fleet !== null && fleet.feed.fetchedAtMs !== null;
  if (hasData && sentence !== null) {
    const { staleSinceMs, problem, fetchedAtMs } = fleet.feed;
    const sinceMs = failure?.sinceMs ?? staleSinceMs ?? problem?.sinceMs ?? fetchedAtMs;
    notices.push({
      key: `${state} ${sinceMs}`,
      tone: state === 'lost' ? 'lost' : 'delayed',
      words: sentence + tryNow.refusal,
      action: tryNow.action,
    });
  }
  if (account !== null && account.usdot !== usdot) {
    const words = `You are looking at USDOT ${usdot}. This server’s key belongs to ${isolated(account.companyName)}, USDOT ${account.usdot}.`;
    notices.push({ key: `foreign ${account.usdot}`, tone: 'foreign', words });
  }
  if (newerBuild !== null) {
    notices.push({
      key: `build ${newerBuild}`,
      tone: 'news',
      words: 'Linehaul was updated. A reload keeps what you look at.',
      action: { words: 'Reload', onPress: reloadPage },
    });
  }
  return notices;
};

interface Closed {
  keys: readonly string[];
  close: (key: string) => void;
}

const ClosedContext = createContext<Closed>({ keys: [], close: () => undefined });

/** Remembers which notices were closed: on another page they stay so. */
export const NoticesProvider = ({ children }: { children: ReactNode }) => {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const closed = useMemo(
    () => ({ keys, close: (key: string) => setKeys((before) => [...before, key]) }),
    [keys],
  );
  return <ClosedContext value={closed}>{children}</ClosedContext>;
};

/** What a dispatcher has to know about the whole screen. Each page puts it where it covers nothing. */
export const Notices = () => {
  const notices = useNotices();
  const { keys: closed, close } = useContext(ClosedContext);
  const open = notices.filter(({ key }) => !closed.includes(key));
  if (open.length === 0) return null;
  return (
    <section className={styles.notices} aria-label="Notices">
      {open.map(({ key, tone, words, action }) => (
        <div key={key} className={styles.notice} data-tone={tone} data-action={action !== undefined}>
          {tone === 'news' ? (
            <IconRefresh size={18} stroke={2} aria-hidden="true" />
          ) : (
            <IconAlertTriangle size={18} stroke={2} aria-hidden="true" />
          )}
          <p>{words}</p>
          {action === undefined ? null : (
            <Button
              className={styles.action}
              size="compact-sm"
              variant="default"
              loading={action.isBusy}
              onClick={action.onPress}
            >
              {action.words}
            </Button>
          )}
          <UnstyledButton className={styles.close} aria-label="Close notice" onClick={() => close(key)}>
            <IconX size={16} stroke={2} aria-hidden="true" />
          </UnstyledButton>
        </div>
      ))}
    </section>
  );
};
