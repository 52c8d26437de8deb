'use client';

import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Section } from '@/components/kit/page-frame';
import { Item, ItemList } from '@/components/kit/item-list';
import { ProblemNote } from '@/components/ui/problem-note';
import { useNowMs } from '@/components/ui/use-now';
import { deviceText } from '@/lib/profile/browser-name';
import { endAllSessions, endSession } from '@/lib/profile/queries';
import type { Account } from '@/lib/profile/schema';
import { formatMoment } from '@/lib/view/format';

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
    <Section title="Where you are signed in" isCard>
      {error === null ? null : <ProblemNote role="alert">{error.message}</ProblemNote>}
      <ItemList>
        {sessions.map(({ id, userAgent, address, createdAtMs, seenAtMs, isThis }) => {
          const device = deviceText(userAgent);
          const since = formatMoment(createdAtMs, nowMs);
          return (
            <Item
              key={id}
              title={isThis ? `${device} (here)` : device}
              about={`Signed in ${since}${address === null ? '' : ` from ${address}`}, last seen about ${formatMoment(seenAtMs, nowMs)}`}
            >
              {isThis ? null : (
                <Button
                  variant="default"
                  aria-label={`Sign out ${device}, signed in ${since}`}
                  loading={end.isPending && end.variables === id}
                  onClick={() => end.mutate(id)}
                >
                  Sign out
                </Button>
              )}
            </Item>
          );
        })}
      </ItemList>
      <Group>
        <Button variant="default" loading={endAll.isPending} onClick={() => endAll.mutate()}>
          Sign out everywhere
        </Button>
      </Group>
    </Section>
  );
};
