'use client';

import { PasswordInput } from '@mantine/core';
import Link from 'next/link';
import { useState } from 'react';
import { ProblemNote } from '@/components/ui/problem-note';
import { signIn } from '@/lib/auth/queries';
import type { OidcRefusal } from '@/lib/auth/schema';
import { ClearWarning } from './clear-warning';
import { ApiForm } from '../ui/api-form';
import { EmailField } from './person-fields';
import { EntryPage } from '../layout/entry-page';
import styles from '../layout/entry-page.module.css';
import { OidcButton } from './oidc-button';
import { SecondStep } from './second-step';

interface SignInPageProps {
  /** A path of this server. */
  nextPath: string;
  /** The database is away, so that signing in fails. */
  isAway: boolean;
  /** The server shows its demo to its own machine alone. */
  isDemo: boolean;
  /** The connection is not encrypted. */
  isInTheClear: boolean;
  /** Users may sign in at an OpenID Connect provider. */
  hasOidc: boolean;
  /** Why they were sent back from there; null where they were not. */
  refusal: OidcRefusal | null;
  /** It sends links to a new password by mail. */
  canMail: boolean;
}

const REFUSALS: Record<OidcRefusal, string> = {
  'no-account': 'No account here goes with that sign-on. A manager can make you one.',
  domain: 'Addresses of that domain may not sign in here.',
  unverified: 'Your company’s sign-on does not vouch for your e-mail address.',
  provider: 'The sign-on did not come to its end. Try again.',
};

/** Signing in by e-mail address and password, with a second step where one is asked for, or elsewhere. */
export const SignInPage = (props: SignInPageProps) => {
  const [isSecondStep, setSecondStep] = useState(false);
  if (isSecondStep) return <SecondStep nextPath={props.nextPath} onBack={() => setSecondStep(false)} />;
  return <FirstStep {...props} onSecondStep={() => setSecondStep(true)} />;
};

interface FirstStepProps extends SignInPageProps {
  onSecondStep: () => void;
}

const FirstStep = ({
  nextPath,
  isAway,
  isDemo,
  isInTheClear,
  canMail,
  hasOidc,
  refusal,
  onSecondStep,
}: FirstStepProps) =>
  isDemo ? (
    <EntryPage head="The demo is shown on its own machine alone">
      <p className={styles.note}>
        Open it there under its own address, not through a proxy. To show it to others, start Linehaul with
        ACCOUNTS=required: then everybody signs in.
      </p>
    </EntryPage>
  ) : (
    <EntryPage head="Sign in">
      {isAway ? (
        <p className={styles.note} role="status">
          <b>You cannot sign in now:</b> this server cannot reach its database. Users who are signed in stay
          signed in.
        </p>
      ) : null}
      {isInTheClear ? <ClearWarning /> : null}
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
            <PasswordInput
              label="Password"
              size="md"
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
              {...form.field('password')}
            />
          </>
        )}
      </ApiForm>
      {hasOidc ? <OidcButton nextPath={nextPath} /> : null}
      <p className={styles.note}>No account, or no password any more? A manager can give you a link.</p>
      {canMail ? (
        <Link href="/sign-in/forgotten" prefetch={false} className={styles.way}>
          Get a link to a new password by mail
        </Link>
      ) : null}
    </EntryPage>
  );
