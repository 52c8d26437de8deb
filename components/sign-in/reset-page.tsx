'use client';

import { useState } from 'react';
import Link from 'next/link';
import { resetPassword } from '@/lib/users/link-queries';
import { resetSchema } from '@/lib/users/schema';
import { ApiForm } from '../ui/api-form';
import { NewPasswordField } from './person-fields';
import { EntryPage } from '../layout/entry-page';
import styles from '../layout/entry-page.module.css';
import { LinkGate } from './link-gate';

/** The user of a reset link chooses a new password, and then signs in with it. */
export const ResetPage = ({ isInTheClear }: { isInTheClear: boolean }) => {
  const [isDone, setDone] = useState(false);
  return isDone ? (
    <EntryPage head="Your password is changed">
      <p className={styles.lead} role="status">
        Every session that you had has ended.
      </p>
      <Link href="/sign-in" prefetch={false} className={styles.way}>
        Sign in
      </Link>
    </EntryPage>
  ) : (
    <LinkGate kind="reset" head="Choose a new password" isInTheClear={isInTheClear}>
      {({ email, token }) => (
        <>
          <p className={styles.lead}>
            For <b>{email}</b>. Every session of this account ends.
          </p>
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
            {(form) => <NewPasswordField email={email} label="New password" form={form} />}
          </ApiForm>
        </>
      )}
    </LinkGate>
  );
};
