'use client';

import { Text, Button, Group } from '@mantine/core';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { readAgain } from '@/lib/browser/change';
import { useState } from 'react';
import { Item, ItemList, PageFrame, Loaded, Section } from '@/components/kit/page-frame';
import { ApiForm } from '@/components/ui/api-form';
import { PasswordField } from '@/components/ui/person-fields';
import { ProblemNote } from '@/components/ui/problem-note';
import { useNowMs } from '@/components/ui/use-now';
import { deviceText } from '@/lib/profile/browser-name';
import { useAccount, changePassword, endAllSessions, endSession } from '@/lib/profile/queries';
import { passwordChangeSchema, type ProfileAnswer } from '@/lib/profile/schema';
import { formatMoment } from '@/lib/view/format';
import { SecondFactorCard } from './second-factor-card';

export const AccountPage = () => {
  const query = useAccount();
  const { data } = query;
  return (
    <PageFrame
      title="Your account"
      lead={data === undefined ? undefined : `${data.name}, ${data.email}`}
      error={query.error}
      width="text"
    >
      <Loaded query={query}>
        {(account) => (
          <>
            {account.isSecondFactorRequired && !account.hasSecondFactor ? (
              <Text inherit px={18} py={14} bdrs={12} bg="var(--lh-warn-ground)" role="status">
                <b>Set up a second factor first.</b> Managers need one here. All other pages open once yours
                is set up.
              </Text>
            ) : null}
            {account.hasPassword ? (
              <>
                <SecondFactorCard account={account} />
                <PasswordCard />
              </>
            ) : (
              <Section
                title="Password and second factor"
                lead="You sign in through your company’s single sign-on, which handles both."
                isCard
              />
            )}
            <SessionsCard sessions={account.sessions} />
          </>
        )}
      </Loaded>
    </PageFrame>
  );
};

const PasswordCard = () => {
  const [state, setState] = useState<'closed' | 'open' | 'changed'>('closed');
  const queries = useQueryClient();
  return (
    <Section title="Password" isCard>
      {state === 'changed' ? (
        <p role="status">Your password is changed, and you are signed out everywhere else.</p>
      ) : null}
      {state === 'open' ? (
        <ApiForm
          initialValues={{ password: '', newPassword: '' }}
          schema={passwordChangeSchema}
          action="Change the password"
          send={async (input) => {
            await changePassword(input);
            await readAgain(queries, ['account']);
            setState('changed');
          }}
        >
          {(form) => (
            <>
              <PasswordField label="Current password" isFirst form={form} />
              <PasswordField isNew label="New password" name="newPassword" form={form} />
            </>
          )}
        </ApiForm>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setState('open')}>
            Change the password…
          </Button>
        </Group>
      )}
    </Section>
  );
};

const SessionsCard = ({ sessions }: { sessions: ProfileAnswer['sessions'] }) => {
  const nowMs = useNowMs();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: endSession,
    onSettled: () => readAgain(queries, ['account']),
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
