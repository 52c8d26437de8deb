'use client';

import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import page from '@/components/admin/admin-page.module.css';
import { EntryForm } from '@/components/layout/entry-form';
import { changePassword } from '@/lib/profile/queries';
import { MIN_PASSWORD_CHARACTERS } from '@/lib/auth/schema';
import styles from './profile-page.module.css';
import { OwnPasswordField } from './own-password-field';

const FIELDS = ['password', 'newPassword'];

/** Changing one's password. */
export const PasswordCard = () => {
  const [state, setState] = useState<'closed' | 'open' | 'changed'>('closed');
  const queries = useQueryClient();
  return (
    <section className={styles.card} aria-labelledby="account-password">
      <h2 id="account-password" className={page.head}>
        Password
      </h2>
      {state === 'changed' ? (
        <p role="status">Your password is changed, and you are signed out everywhere else.</p>
      ) : null}
      {state === 'open' ? (
        <EntryForm
          fields={FIELDS}
          action="Change the password"
          send={async ({ password = '', newPassword = '' }) => {
            await changePassword({ password, newPassword });
            await queries.invalidateQueries({ queryKey: ['account'] });
            setState('changed');
          }}
        >
          {(faults) => (
            <>
              <OwnPasswordField label="Your password now" fault={faults.password} />
              <PasswordInput
                name="newPassword"
                label="New password"
                description={`At least ${MIN_PASSWORD_CHARACTERS} characters`}
                size="md"
                autoComplete="new-password"
                required
                error={faults.newPassword}
                visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
              />
            </>
          )}
        </EntryForm>
      ) : (
        <div className={page.actions}>
          <Button variant="default" onClick={() => setState('open')}>
            Change the password…
          </Button>
        </div>
      )}
    </section>
  );
};
