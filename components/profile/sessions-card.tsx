'use client';

import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import page from '@/components/admin/admin-page.module.css';
import table from '@/components/admin/admin-table.module.css';
import { useNowMs } from '@/components/ui/use-now';
import { endAllSessions, endSession } from '@/lib/profile/queries';
import { momentWords } from '@/lib/view/clock';
import { deviceWords } from '@/lib/profile/browser-name';
import type { Account } from '@/lib/profile/schema';
import styles from './profile-page.module.css';

/** The user's sessions, each with a button that ends it. */
export const SessionsCard = ({ sessions }: { sessions: Account['sessions'] }) => {
  const nowMs = useNowMs();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: endSession,
    onSettled: () => queries.invalidateQueries({ queryKey: ['account'] }),
  });
  const endAll = useMutation({
    mutationFn: endAllSessions,
    onSuccess: () => window.location.assign('/sign-in'),
  });
  const error = end.error ?? endAll.error;
  return (
    <section className={styles.card} aria-labelledby="account-sessions">
      <h2 id="account-sessions" className={page.head}>
        Where you are signed in
      </h2>
      {error === null ? null : (
        <p className={page.failure} role="alert">
          {error.message}
        </p>
      )}
      <ul className={styles.sessions}>
        {sessions.map(({ id, userAgent, address, createdAtMs, seenAtMs, isThis }) => (
          <li key={id} className={styles.session}>
            <div>
              <span className={styles.device}>{deviceWords(userAgent)}</span>
              {isThis ? ' (here)' : ''}
              <span className={table.small}>
                Signed in {momentWords(createdAtMs, nowMs)}
                {address === null ? '' : ` from ${address}`}, last seen about {momentWords(seenAtMs, nowMs)}
              </span>
            </div>
            {isThis ? null : (
              <Button
                variant="default"
                aria-label={`Sign out ${deviceWords(userAgent)}, signed in ${momentWords(createdAtMs, nowMs)}`}
                loading={end.isPending && end.variables === id}
                onClick={() => end.mutate(id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <div className={page.actions}>
        <Button variant="default" loading={endAll.isPending} onClick={() => endAll.mutate()}>
          Sign out everywhere
        </Button>
      </div>
    </section>
  );
};
