'use client';

import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { OWNER_KEY } from '@/lib/browser/owner';
import { isSignedIn, signIn, signInWithCode, startOidc } from '@/lib/auth/queries';
import type { OidcRefusal } from '@/lib/auth/schema';
import { EntryLink, EntryPage, Note } from '@/components/layout/entry-page';
import { ApiForm } from '@/components/ui/api-form';
import { CodeField, EmailField, PasswordField } from '@/components/ui/person-fields';
import { ProblemNote } from '@/components/ui/problem-note';

interface SignInPageProps {
  /** A path of this server. */
  nextPath: string;
  /** The database is unreachable, so signing in fails. */
  isAway: boolean;
  /** The server shows its demo only to its own machine. */
  isDemo: boolean;
  isUnencrypted: boolean;
  /** Users may sign in at an OpenID Connect provider. */
  hasOidc: boolean;
  /** Why the provider's sign-in was refused; null if it was not. */
  refusal: OidcRefusal | null;
  /** The server sends links to a new password by e-mail. */
  canMail: boolean;
}

const REFUSALS: Record<OidcRefusal, string> = {
  'no-account': 'No Linehaul user matches that sign-on. Ask a manager to create one.',
  domain: 'E-mail addresses of that domain cannot sign in here.',
  unverified: 'Your company’s sign-on has not verified your e-mail address.',
  provider: 'The sign-on did not finish. Try again.',
};

/** Calls the listener when another tab opens a page of a viewer, until the returned function is called. */
const onOwnerAdopted = (listener: () => void): (() => void) => {
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === OWNER_KEY && newValue !== null) listener();
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
};

/** Goes on once another tab has signed in: when that tab opens a page, and when this one is looked at again. */
const useGoOnWhenSignedIn = (nextPath: string): void => {
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'hidden') return;
      isSignedIn().then(
        (isIn) => {
          if (isIn) window.location.assign(nextPath);
        },
        () => {
          // No answer: the form says so when it is sent.
        },
      );
    };
    const stopListening = onOwnerAdopted(look);
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      stopListening();
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, [nextPath]);
};

/** Signing in by e-mail address and password, with a second step if the user needs one, or at the company. */
export const SignInPage = (props: SignInPageProps) => {
  const [isSecondStep, setSecondStep] = useState(false);
  useGoOnWhenSignedIn(props.nextPath);
  if (props.isDemo) return <DemoElsewhere />;
  if (isSecondStep) return <SecondStep nextPath={props.nextPath} onBack={() => setSecondStep(false)} />;
  return <FirstStep {...props} onSecondStep={() => setSecondStep(true)} />;
};

const DemoElsewhere = () => (
  <EntryPage head="The demo opens only on its own machine">
    <Note>
      Open it there under its own address, not through a proxy. To show it to others, start Linehaul with
      ACCOUNTS=required. Then everyone signs in.
    </Note>
  </EntryPage>
);

const FirstStep = (props: SignInPageProps & { onSecondStep: () => void }) => {
  const { nextPath, isAway, isUnencrypted, canMail, hasOidc, refusal, onSecondStep } = props;
  return (
    <EntryPage head="Sign in" isUnencrypted={isUnencrypted}>
      {isAway ? (
        <Note role="status">
          <b>You cannot sign in now:</b> this server cannot reach its database. Users who are signed in stay
          signed in.
        </Note>
      ) : null}
      {refusal === null ? null : <ProblemNote role="alert">{REFUSALS[refusal]}</ProblemNote>}
      <ApiForm
        initialValues={{ email: '', password: '' }}
        action="Sign in"
        send={async (input) => {
          const { needsSecondFactor } = await signIn(input);
          // A full load, which clears everything shown before.
          if (needsSecondFactor) onSecondStep();
          else window.location.assign(nextPath);
        }}
      >
        {(form) => (
          <>
            <EmailField form={form} isFirst />
            <PasswordField label="Password" form={form} />
          </>
        )}
      </ApiForm>
      {hasOidc ? <OidcButton nextPath={nextPath} /> : null}
      <Note>New here, or forgot your password? Ask a manager for a link.</Note>
      {canMail ? <EntryLink href="/sign-in/forgotten">E-mail me a link to a new password</EntryLink> : null}
    </EntryPage>
  );
};

const OidcButton = ({ nextPath }: { nextPath: string }) => {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => startOidc(nextPath),
    onSuccess: (url) => window.location.assign(url),
  });
  return (
    <>
      <Button
        variant="default"
        size="md"
        px={12}
        fullWidth
        mt={12}
        loading={isPending || isSuccess}
        onClick={() => mutate()}
      >
        Sign in with your company account
      </Button>
      <div role="alert">{error === null ? null : <ProblemNote>{error.message}</ProblemNote>}</div>
    </>
  );
};

/** The second step of signing in: a code from the authenticator app, or a recovery code. */
const SecondStep = ({ nextPath, onBack }: { nextPath: string; onBack: () => void }) => {
  const [isByApp, setByApp] = useState(true);
  return (
    <EntryPage
      head={isByApp ? 'Enter the code' : 'Enter a recovery code'}
      lead={
        isByApp
          ? 'Your authenticator app shows it.'
          : 'Use one of the codes that you stored when you set up the app. Each works once.'
      }
    >
      <ApiForm
        initialValues={{ code: '' }}
        key={String(isByApp)}
        action="Sign in"
        send={async ({ code }) => {
          await signInWithCode(code);
          // A full load, which clears everything shown before.
          window.location.assign(nextPath);
        }}
      >
        {(form) => (
          <CodeField label={isByApp ? 'Code' : 'Recovery code'} form={form} isNumeric={isByApp} isFirst />
        )}
      </ApiForm>
      <Button variant="subtle" fullWidth mt={8} onClick={() => setByApp(!isByApp)}>
        {isByApp ? 'Use a recovery code' : 'Use the app'}
      </Button>
      <Button variant="subtle" fullWidth onClick={onBack}>
        Start over
      </Button>
    </EntryPage>
  );
};
