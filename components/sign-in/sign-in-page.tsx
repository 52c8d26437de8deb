'use client';

import { PasswordInput, TextInput } from '@mantine/core';
import { signIn } from '@/lib/queries/sign-in';
import { EntryForm } from './entry-form';
import { EntryPage } from './entry-page';
import styles from './entry-page.module.css';

interface SignInPageProps {
  /** A path of this server. */
  nextPath: string;
  /** Nobody can sign in, because the database is away. */
  isAway: boolean;
  /** The server shows its demo to its own machine alone. */
  isDemo: boolean;
}

/** It is not said which of the two is wrong. */
const NO_FIELDS: readonly string[] = [];

/** Signing in by e-mail address and password. */
export const SignInPage = ({ nextPath, isAway, isDemo }: SignInPageProps) =>
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
          <b>Nobody can sign in now:</b> this server cannot reach its database. Who is signed in stays so.
        </p>
      ) : null}
      <EntryForm
        fields={NO_FIELDS}
        action="Sign in"
        send={async ({ email = '', password = '' }) => {
          await signIn({ email, password });
          // The whole page anew: nothing of what was shown before may stay.
          window.location.assign(nextPath);
        }}
      >
        {() => (
          <>
            <TextInput
              name="email"
              type="email"
              label="E-mail address"
              size="md"
              autoComplete="username"
              autoFocus
              spellCheck={false}
            />
            <PasswordInput
              name="password"
              label="Password"
              size="md"
              autoComplete="current-password"
              visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            />
          </>
        )}
      </EntryForm>
      <p className={styles.note}>No account, or no password any more? A manager can give you a link.</p>
    </EntryPage>
  );
