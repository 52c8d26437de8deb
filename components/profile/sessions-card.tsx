'use client';

import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Section } from '@/components/admin/admin-page';
import { Small } from '@/components/admin/admin-table';
import { ProblemNote } from '@/components/ui/problem-note';
import { useNowMs } from '@/components/ui/use-now';
import { deviceText } from '@/lib/profile/browser-name';
import { endAllSessions, endSession } from '@/lib/profile/queries';
import type { ProfileAnswer } from '@/lib/profile/schema';
import { formatMoment } from '@/lib/view/format';
import styles from './profile.module.css';

/** The user's sessions, each with a button that ends it. */
export const SessionsCard = ({ sessions }: { sessions: ProfileAnswer['sessions'] }) => {
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
    <Section title="Where you are signed in" isCard>
      {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
      <ul className={styles.sessions}>
        {sessions.map(({ id, userAgent, address, createdAtMs, seenAtMs, isThis }) => (
          <li key={id}>
            <div>
              <b>{deviceText(userAgent)}</b>
              {isThis ? ' (here)' : ''}
              <Small>
                Signed in {formatMoment(createdAtMs, nowMs)}
                {address === null ? '' : ` from ${address}`}, last seen about {formatMoment(seenAtMs, nowMs)}
              </Small>
            </div>
            {isThis ? null : (
              <Button
                variant="default"
                aria-label={`Sign out ${deviceText(userAgent)}, signed in ${formatMoment(createdAtMs, nowMs)}`}
                loading={end.isPending && end.variables === id}
                onClick={() => end.mutate(id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Group>
        <Button variant="default" loading={endAll.isPending} onClick={() => endAll.mutate()}>
          Sign out everywhere
        </Button>
      </Group>
    </Section>
  );
};
