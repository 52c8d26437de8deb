'use client';

import { Button, Skeleton, Stack } from '@mantine/core';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { EntryLink, EntryPage, Lead } from '@/components/layout/entry-page';
import { ApiForm } from '@/components/ui/api-form';
import { NameField, PasswordField, EmailField } from '@/components/ui/person-fields';
import { ServerProblemError } from '@/lib/browser/fetch-json';
import { join, resetPassword, useLink, type LinkKind, requestReset } from '@/lib/users/queries';
import { joinSchema, resetSchema, resetMailSchema } from '@/lib/users/schema';

/** An invited user chooses a name and a password, and is signed in. */
export const JoinPage = ({ isUnencrypted }: { isUnencrypted: boolean }) => (
  <LinkGate kind="join" head="Join Linehaul" isUnencrypted={isUnencrypted}>
    {({ email, token }) => (
      <>
        <Lead>
          You will sign in as <b>{email}</b>.
        </Lead>
        <ApiForm
          initialValues={{ name: '', password: '' }}
          toInput={(values) => ({ token, ...values })}
          schema={joinSchema}
          action="Join"
          send={async (input) => {
            await join(input);
            window.location.assign('/');
          }}
        >
          {(form) => (
            <>
              <NameField form={form} />
              <PasswordField isNew email={email} label="Password" form={form} />
            </>
          )}
        </ApiForm>
      </>
    )}
  </LinkGate>
);

/** The user of a reset link chooses a new password, and then signs in with it. */
export const ResetPage = ({ isUnencrypted }: { isUnencrypted: boolean }) => {
  const [isDone, setDone] = useState(false);
  return isDone ? (
    <EntryPage head="Your password is changed">
      <Lead role="status">You are signed out everywhere.</Lead>
      <EntryLink href="/sign-in">Sign in</EntryLink>
    </EntryPage>
  ) : (
    <LinkGate kind="reset" head="Choose a new password" isUnencrypted={isUnencrypted}>
      {({ email, token }) => (
        <>
          <Lead>
            For <b>{email}</b>. This signs you out everywhere.
          </Lead>
          <ApiForm
            initialValues={{ password: '' }}
            toInput={({ password }) => ({ token, password })}
            schema={resetSchema}
            action="Change the password"
            send={async (input) => {
              await resetPassword(input);
              setDone(true);
            }}
          >
            {(form) => <PasswordField isNew email={email} label="New password" form={form} />}
          </ApiForm>
        </>
      )}
    </LinkGate>
  );
};

const subscribeToHash = (listener: () => void): (() => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};

/** The fragment of the address, which browsers do not send to the server; null until hydration. */
const useToken = (): string | null =>
  useSyncExternalStore(
    subscribeToHash,
    () => window.location.hash.slice(1),
    () => null,
  );

interface LinkGateProps {
  kind: LinkKind;
  head: string;
  /** Input may be read on its way, because the connection is plain HTTP. */
  isUnencrypted: boolean;
  children: (link: { email: string; token: string }) => ReactNode;
}

/** Loads the recipient of a link, and shows an error if the link is no longer valid. */
const LinkGate = (props: LinkGateProps) => {
  const token = useToken();
  return token === null ? (
    <EntryPage head={props.head} isUnencrypted={props.isUnencrypted}>
      <LinkLoading />
    </EntryPage>
  ) : (
    <LinkContent key={token} token={token} {...props} />
  );
};

const LinkLoading = () => (
  <Stack gap={16} mt={20} aria-busy="true">
    <p className="visually-hidden" role="status">
      Checking the link…
    </p>
    <Skeleton height={60} />
    <Skeleton height={60} />
  </Stack>
);

const LinkContent = ({ kind, head, isUnencrypted, children, token }: LinkGateProps & { token: string }) => {
  const { data, error, isFetching, refetch } = useLink(kind, token);
  const isInvalid = error instanceof ServerProblemError && error.problem?.code === 'dead-link';
  const toContent = (): ReactNode => {
    if (data !== undefined) return children({ email: data.email, token });
    if (error === null) return <LinkLoading />;
    return (
      <Stack gap={16} mt={20} role="alert">
        <p>{error.message}</p>
        {isInvalid ? (
          <EntryLink href="/sign-in">Sign in</EntryLink>
        ) : (
          <Button size="md" variant="default" loading={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        )}
      </Stack>
    );
  };
  return (
    <EntryPage
      head={isInvalid ? 'This link does not work' : head}
      isUnencrypted={isUnencrypted && !isInvalid}
    >
      {toContent()}
    </EntryPage>
  );
};

/** Requests a link to a new password by e-mail; the page does not show whether such a user exists. */
export const ForgottenPage = () => {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return sentTo === null ? (
    <EntryPage
      head="New password"
      lead="We e-mail you a link to choose a new password. It is valid for one hour."
    >
      <ApiForm
        initialValues={{ email: '' }}
        schema={resetMailSchema}
        action="Send me a link"
        send={async ({ email }) => {
          await requestReset(email);
          setSentTo(email);
        }}
      >
        {(form) => <EmailField form={form} isFirst />}
      </ApiForm>
      <EntryLink href="/sign-in">Back to sign-in</EntryLink>
    </EntryPage>
  ) : (
    <EntryPage head="Check your e-mail">
      <Lead role="status">
        If <b>{sentTo.trim()}</b> is a user here, a link is on its way. If no e-mail arrives within a few
        minutes, ask a manager.
      </Lead>
      <EntryLink href="/sign-in">Back to sign-in</EntryLink>
    </EntryPage>
  );
};
