'use client';

import Link from 'next/link';
import { useState } from 'react';
import { askForReset } from '@/lib/users/link-queries';
import { resetMailSchema } from '@/lib/users/schema';
import { ApiForm } from '../ui/api-form';
import { EmailField } from './person-fields';
import { EntryPage } from '../layout/entry-page';
import styles from '../layout/entry-page.module.css';

const Back = () => (
  <Link href="/sign-in" prefetch={false} className={styles.way}>
    Back to signing in
  </Link>
);

/** Asks for a link to a new password by mail, and never says whether there is such an account. */
export const ForgottenPage = () => {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  return askedFor === null ? (
    <EntryPage head="New password" lead="You get a mail with a link to choose one. It holds for an hour.">
      <ApiForm
        initialValues={{ email: '' }}
        schema={resetMailSchema}
        action="Send me a link"
        send={async ({ email }) => {
          await askForReset(email);
          setAskedFor(email);
        }}
      >
        {(form) => <EmailField form={form} isFirst />}
      </ApiForm>
      <Back />
    </EntryPage>
  ) : (
    <EntryPage head="Look into your mail">
      <p className={styles.lead} role="status">
        If <b>{askedFor.trim()}</b> has an account here, a link is on its way. Without a mail in a few
        minutes, ask a manager.
      </p>
      <Back />
    </EntryPage>
  );
};
