'use client';

import { join } from '@/lib/users/link-queries';
import { EntryForm } from '../layout/entry-form';
import styles from '../layout/entry-page.module.css';
import { LinkGate } from './link-gate';
import { NameField } from './name-field';
import { NewPasswordField } from './new-password-field';

const FIELDS = ['name', 'password'];

/** Whoever was invited chooses a name and a password, and is signed in. */
export const JoinPage = ({ isInTheClear }: { isInTheClear: boolean }) => (
  <LinkGate kind="join" head="Join Linehaul" isInTheClear={isInTheClear}>
    {({ email, token }) => (
      <>
        <p className={styles.lead}>
          You will sign in as <b>{email}</b>.
        </p>
        <EntryForm
          fields={FIELDS}
          action="Join"
          send={async ({ name = '', password = '' }) => {
            await join({ token, name, password });
            window.location.assign('/');
          }}
        >
          {(faults) => (
            <>
              <NameField fault={faults.name} />
              <NewPasswordField email={email} label="Password" fault={faults.password} />
            </>
          )}
        </EntryForm>
      </>
    )}
  </LinkGate>
);
