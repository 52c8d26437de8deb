'use client';

import { TextInput } from '@mantine/core';
import { QrCode } from '@/components/ui/qr-code';
import { SecretLine } from '@/components/ui/secret-line';
import { ApiForm } from '@/components/ui/api-form';
import { confirmSecondFactor } from '@/lib/profile/queries';
import { appCodeSchema } from '@/lib/profile/schema';
import type { SecondFactorStart } from '@/lib/profile/schema';
import styles from './profile-page.module.css';
import { RecoveryCodes } from './recovery-codes';

const readSecret = (uri: string): string => new URL(uri).searchParams.get('secret') ?? '';

/** From the QR code to the first code of the app, which turns the second factor on. */
export const SecondFactorSteps = ({ start: { uri, recoveryCodes } }: { start: SecondFactorStart }) => (
  <ol className={styles.steps}>
    <li>
      <p>Read this code with an authenticator app on your phone.</p>
      <QrCode text={uri} label="QR code for an authenticator app" />
      <SecretLine label="Or type this key into the app" text={readSecret(uri)} />
    </li>
    <li>
      <RecoveryCodes codes={recoveryCodes} />
    </li>
    <li>
      <p>Enter the code that the app shows.</p>
      <ApiForm
        initialValues={{ code: '' }}
        schema={appCodeSchema}
        action="Turn the second factor on"
        send={async ({ code }) => {
          await confirmSecondFactor({ code });
          // A full page load, because all pages are open to a manager who has just set it up.
          window.location.reload();
        }}
      >
        {({ field }) => (
          <TextInput
            label="Code of the app"
            size="md"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            {...field('code')}
          />
        )}
      </ApiForm>
    </li>
  </ol>
);
