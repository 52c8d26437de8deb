'use client';

import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '@/components/kit/page-frame';
import { ApiForm } from '@/components/ui/api-form';
import { PasswordField } from '@/components/ui/person-fields';
import { changePassword } from '@/lib/profile/queries';
import { passwordChangeSchema } from '@/lib/profile/schema';

/** Changes the user's password. */
export const PasswordCard = () => {
  const [state, setState] = useState<'closed' | 'open' | 'changed'>('closed');
  const queries = useQueryClient();
  return (
    <Section title="Password" isCard>
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
              <PasswordField label="Current password" isFirst form={form} />
              <PasswordField isNew label="New password" name="newPassword" form={form} />
            </>
          )}
        </ApiForm>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setState('open')}>
            Change the password…
          </Button>
        </Group>
      )}
    </Section>
  );
};
