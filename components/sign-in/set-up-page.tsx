'use client';

import { TextInput } from '@mantine/core';
import { setUp } from '@/lib/auth/queries';
import { setUpSchema } from '@/lib/auth/schema';
import { ClearWarning } from './clear-warning';
import { ApiForm } from '../ui/api-form';
import { EmailField, NameField, NewPasswordField } from './person-fields';
import { EntryPage } from '../layout/entry-page';

/** The first run: who has the code that the server printed becomes the first manager. */
export const SetUpPage = ({ isInTheClear }: { isInTheClear: boolean }) => (
  <EntryPage
    head="Set up Linehaul"
    lead="You become the first manager, and can then invite others. The server printed a code when it started: it stands in its terminal or log."
  >
    {isInTheClear ? <ClearWarning /> : null}
    <ApiForm
      initialValues={{ code: '', name: '', email: '', password: '' }}
      schema={setUpSchema}
      action="Make the account"
      send={async (input) => {
        await setUp(input);
        window.location.assign('/');
      }}
    >
      {(form) => (
        <>
          <TextInput
            label="Code"
            size="md"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            required
            {...form.field('code')}
          />
          <NameField form={form} />
          <EmailField form={form} />
          <NewPasswordField label="Password" form={form} />
        </>
      )}
    </ApiForm>
  </EntryPage>
);
