'use client';

import { TextInput } from '@mantine/core';
import { setUp } from '@/lib/auth/queries';
import { ClearWarning } from './clear-warning';
import { EmailField } from './email-field';
import { EntryForm } from '../layout/entry-form';
import { EntryPage } from '../layout/entry-page';
import { NameField } from './name-field';
import { NewPasswordField } from './new-password-field';

const FIELDS = ['code', 'name', 'email', 'password'];

/** The first run: who has the code that the server printed becomes the first manager. */
export const SetUpPage = ({ isInTheClear }: { isInTheClear: boolean }) => (
  <EntryPage
    head="Set up Linehaul"
    lead="You become the first manager, and can then invite others. The server printed a code when it started: it stands in its terminal or log."
  >
    {isInTheClear ? <ClearWarning /> : null}
    <EntryForm
      fields={FIELDS}
      action="Make the account"
      send={async ({ code = '', name = '', email = '', password = '' }) => {
        await setUp({ code, name, email, password });
        window.location.assign('/');
      }}
    >
      {(faults) => (
        <>
          <TextInput
            name="code"
            label="Code"
            size="md"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            required
            error={faults.code}
          />
          <NameField fault={faults.name} />
          <EmailField fault={faults.email} isRequired />
          <NewPasswordField label="Password" fault={faults.password} />
        </>
      )}
    </EntryForm>
  </EntryPage>
);
