'use client';

import { join } from '@/lib/users/link-queries';
import { joinSchema } from '@/lib/users/schema';
import { ApiForm } from '../ui/api-form';
import { NameField, NewPasswordField } from './person-fields';
import styles from '../layout/entry-page.module.css';
import { LinkGate } from './link-gate';

/** An invited user chooses a name and a password, and is signed in. */
export const JoinPage = ({ isInTheClear }: { isInTheClear: boolean }) => (
  <LinkGate kind="join" head="Join Linehaul" isInTheClear={isInTheClear}>
    {({ email, token }) => (
      <>
        <p className={styles.lead}>
          You will sign in as <b>{email}</b>.
        </p>
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
              <NewPasswordField email={email} label="Password" form={form} />
            </>
          )}
        </ApiForm>
      </>
    )}
  </LinkGate>
);
