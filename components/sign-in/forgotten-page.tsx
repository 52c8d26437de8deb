'use client';

import { useState } from 'react';
import { requestReset } from '@/lib/users/queries';
import { resetMailSchema } from '@/lib/users/schema';
import { EntryLink, EntryPage, Lead } from '@/components/layout/entry-page';
import { ApiForm } from '@/components/ui/api-form';
import { EmailField } from '@/components/ui/person-fields';

/** Requests a link to a new password by e-mail; the page does not show whether such a user exists. */
export const ForgottenPage = () => {
  const [sentTo, setSentTo] = useState<string | null>(null);
  return sentTo === null ? (
    <EntryPage
      head="New password"
      lead="We e-mail you a link to choose a new password. It is valid for one hour."
    >
      <ApiForm
        initialValues={{ email: '' }}
        schema={resetMailSchema}
        action="Send me a link"
        send={async ({ email }) => {
          await requestReset(email);
          setSentTo(email);
        }}
      >
        {(form) => <EmailField form={form} isFirst />}
      </ApiForm>
      <EntryLink href="/sign-in">Back to sign-in</EntryLink>
    </EntryPage>
  ) : (
    <EntryPage head="Check your e-mail">
      <Lead role="status">
        If <b>{sentTo.trim()}</b> is a user here, a link is on its way. If no e-mail arrives within a few
        minutes, ask a manager.
      </Lead>
      <EntryLink href="/sign-in">Back to sign-in</EntryLink>
    </EntryPage>
  );
};
