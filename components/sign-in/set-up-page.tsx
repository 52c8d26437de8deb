'use client';

import { setUp } from '@/lib/auth/queries';
import { setUpSchema } from '@/lib/auth/schema';
import { ApiForm } from '@/components/ui/api-form';
import { CodeField, EmailField, NameField, PasswordField } from '@/components/ui/person-fields';
import { EntryPage } from '@/components/layout/entry-page';

/** The first run: the user with the code that the server printed becomes the first manager. */
export const SetUpPage = ({ isUnencrypted }: { isUnencrypted: boolean }) => (
  <EntryPage
    head="Set up Linehaul"
    lead="You become the first manager, and can then invite others. The server printed a code in its terminal or log when it started."
    isUnencrypted={isUnencrypted}
  >
    <ApiForm
      initialValues={{ code: '', name: '', email: '', password: '' }}
      schema={setUpSchema}
      action="Create the user"
      send={async (input) => {
        await setUp(input);
        window.location.assign('/');
      }}
    >
      {(form) => (
        <>
          <CodeField label="Code" form={form} isUpperCase isFirst />
          <NameField form={form} />
          <EmailField form={form} />
          <PasswordField isNew label="Password" form={form} />
        </>
      )}
    </ApiForm>
  </EntryPage>
);
