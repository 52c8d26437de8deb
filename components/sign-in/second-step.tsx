'use client';

import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { signInWithCode } from '@/lib/auth/queries';
import { ApiForm } from '../ui/api-form';
import { EntryPage } from '../layout/entry-page';

interface SecondStepProps {
  /** A path of this server. */
  nextPath: string;
  /** To the first step again. */
  onBack: () => void;
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export const SecondStep = ({ nextPath, onBack }: SecondStepProps) => {
  const [isByApp, setByApp] = useState(true);
  return (
    <EntryPage
      head={isByApp ? 'Enter the code' : 'Enter a recovery code'}
      lead={
        isByApp
          ? 'Your authenticator app shows it.'
          : 'One of those that you kept when you set up the app. Each is good once.'
      }
    >
      <ApiForm
        initialValues={{ code: '' }}
        key={String(isByApp)}
        action="Sign in"
        send={async ({ code }) => {
          await signInWithCode(code);
          // A full load, which clears everything shown before.
          window.location.assign(nextPath);
        }}
      >
        {(form) => (
          <TextInput
            label={isByApp ? 'Code' : 'Recovery code'}
            size="md"
            autoComplete="one-time-code"
            inputMode={isByApp ? 'numeric' : 'text'}
            spellCheck={false}
            autoFocus
            {...form.field('code')}
          />
        )}
      </ApiForm>
      <Button variant="subtle" fullWidth mt={8} onClick={() => setByApp(!isByApp)}>
        {isByApp ? 'Use a recovery code' : 'Use the app'}
      </Button>
      <Button variant="subtle" fullWidth onClick={onBack}>
        Begin again
      </Button>
    </EntryPage>
  );
};
