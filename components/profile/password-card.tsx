'use client';

import { Button, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import page from '@/components/admin/admin-page.module.css';
import { ApiForm } from '@/components/ui/api-form';
import { changePassword } from '@/lib/profile/queries';
import { MIN_PASSWORD_CHARACTERS } from '@/lib/auth/schema';
import { passwordChangeSchema } from '@/lib/profile/schema';
import styles from './profile-page.module.css';
import { OwnPasswordField } from './own-password-field';

/** Changes the user's password. */
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
        <ApiForm
          initialValues={{ password: '', newPassword: '' }}
          schema={passwordChangeSchema}
          action="Change the password"
          send={async (input) => {
            await changePassword(input);
            await queries.invalidateQueries({ queryKey: ['account'] });
            setState('changed');
          }}
        >
          {(form) => (
            <>
              <OwnPasswordField label="Your password now" form={form} />
              <PasswordInput
                label="New password"
                description={`At least ${MIN_PASSWORD_CHARACTERS} characters`}
                size="md"
                autoComplete="new-password"
                required
                visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
                {...form.field('newPassword')}
              />
            </>
          )}
        </ApiForm>
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
