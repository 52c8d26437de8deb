'use client';

import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useReading, useUsdot } from './fleet-context';
import styles from './notices.module.css';
import { useFreshness } from './use-freshness';

interface Notice {
  /** Closing a notice closes this one, not the next of its kind. */
  key: string;
  tone: 'delayed' | 'lost' | 'foreign';
  words: string;
}

const useNotices = (): Notice[] => {
  const usdot = useUsdot();
  const { fleet, failure } = useReading();
  const { state, sentence } = useFreshness();
  const notices: Notice[] = [];
  // Where nothing has come yet, the page itself stands empty and says why.
  const hasData = fleet !== null && fleet.feed.fetchedAtMs !== null;
  if (hasData && sentence !== null && (state === 'delayed' || state === 'lost')) {
    const sinceMs = failure?.sinceMs ?? fleet.feed.staleSinceMs ?? 0;
    notices.push({ key: `${state} ${sinceMs}`, tone: state, words: sentence });
  }
  const account = fleet?.account;
  if (account && account.usdot !== usdot) {
    const words = `You are looking at USDOT ${usdot}. This server’s key belongs to ${account.companyName}, USDOT ${account.usdot}.`;
    notices.push({ key: `foreign ${account.usdot}`, tone: 'foreign', words });
  }
  return notices;
};

/** What a dispatcher has to know about the whole screen, over it, so that nothing moves when it appears. */
export const Notices = () => {
  const notices = useNotices();
  const [closed, setClosed] = useState<readonly string[]>([]);
  const open = notices.filter(({ key }) => !closed.includes(key));
  if (open.length === 0) return null;
  return (
    <section className={styles.notices} aria-label="Notices">
      {open.map(({ key, tone, words }) => (
        <div key={key} className={styles.notice} data-tone={tone}>
          <IconAlertTriangle className={styles.icon} size={18} stroke={2} aria-hidden="true" />
          <p>{words}</p>
          <UnstyledButton
            className={styles.close}
            aria-label="Close notice"
            onClick={() => setClosed((before) => [...before, key])}
          >
            <IconX size={16} stroke={2} aria-hidden="true" />
          </UnstyledButton>
        </div>
      ))}
    </section>
  );
};
