'use client';

import { useState } from 'react';
import Link from 'next/link';
import { resetPassword } from '@/lib/users/link-queries';
import { EntryForm } from '../layout/entry-form';
import { EntryPage } from '../layout/entry-page';
import styles from '../layout/entry-page.module.css';
import { LinkGate } from './link-gate';
import { NewPasswordField } from './new-password-field';

const FIELDS = ['password'];

/** Whoever bears a link chooses another password, and then signs in with it. */
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
          <EntryForm
            fields={FIELDS}
            action="Change the password"
            send={async ({ password = '' }) => {
              await resetPassword({ token, password });
              setDone(true);
            }}
          >
            {(faults) => <NewPasswordField email={email} label="New password" fault={faults.password} />}
          </EntryForm>
        </>
      )}
    </LinkGate>
  );
};
