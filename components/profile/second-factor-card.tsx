import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { readAgain } from '@/lib/browser/change';
import { useState } from 'react';
import { Section, Steps } from '@/components/kit/page-frame';
import { QrCode, SecretLine } from '@/components/kit/secrets';
import { ApiForm } from '@/components/ui/api-form';
import { CodeField, PasswordField } from '@/components/ui/person-fields';
import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
} from '@/lib/profile/queries';
import {
  appCodeSchema,
  passwordAgainSchema,
  type ProfileAnswer,
  type SecondFactorStart,
} from '@/lib/profile/schema';

type Step = 'idle' | 'starting' | 'renewing' | 'removing';

const ACTIONS: Record<Exclude<Step, 'idle'>, string> = {
  starting: 'Continue',
  renewing: 'Create new recovery codes',
  removing: 'Remove the second factor',
};

/** Sets up or removes the second factor, and renews its recovery codes; each requires the password again. */
export const SecondFactorCard = ({ account }: { account: ProfileAnswer }) => {
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>('idle');
  const [started, setStarted] = useState<SecondFactorStart | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const isSettingUp = started !== null && !account.hasSecondFactor;

  const send = async (password: string): Promise<void> => {
    if (step === 'starting') setStarted(await startSecondFactor({ password }));
    if (step === 'renewing') setCodes(await renewRecoveryCodes({ password }));
    if (step === 'removing') await removeSecondFactor({ password });
    await readAgain(queries, ['account']);
    setStep('idle');
  };

  return (
    <Section
      title="Second factor"
      lead={
        account.hasSecondFactor
          ? 'On. After your password, you enter a code from your authenticator app.'
          : 'Off. With it, you sign in with your password and a code from an app on your phone, so a stolen password is not enough.'
      }
      isCard
    >
      {codes === null ? null : <RecoveryCodes codes={codes} />}
      {isSettingUp ? <SetUpSteps start={started} /> : null}
      {step !== 'idle' ? (
        <ApiForm
          key={step}
          initialValues={{ password: '' }}
          schema={passwordAgainSchema}
          action={ACTIONS[step]}
          send={({ password }) => send(password)}
        >
          {(form) => <PasswordField label="Your password" isFirst form={form} />}
        </ApiForm>
      ) : isSettingUp ? null : (
        <Actions account={account} onStep={setStep} />
      )}
    </Section>
  );
};

const Actions = ({ account, onStep }: { account: ProfileAnswer; onStep: (step: Step) => void }) => (
  <Group gap={8}>
    {account.hasSecondFactor ? (
      <>
        <Button variant="default" onClick={() => onStep('renewing')}>
          New recovery codes…
        </Button>
        {account.isSecondFactorRequired ? null : (
          <Button variant="default" onClick={() => onStep('removing')}>
            Remove…
          </Button>
        )}
      </>
    ) : (
      <Button onClick={() => onStep('starting')}>Set up…</Button>
    )}
  </Group>
);

const RecoveryCodes = ({ codes }: { codes: readonly string[] }) => (
  <Stack gap={10}>
    <p>
      <b>Store these recovery codes away from your phone.</b> Each signs you in once if you do not have your
      phone. They are not shown again.
    </p>
    <SecretLine label="Recovery codes" text={codes.join('\n')} />
  </Stack>
);

const readSecret = (uri: string): string => new URL(uri).searchParams.get('secret') ?? '';

/** From the QR code to the first code from the app, which turns the second factor on. */
const SetUpSteps = ({ start: { uri, recoveryCodes } }: { start: SecondFactorStart }) => (
  <Steps>
    <li>
      <Stack gap={10}>
        <p>Scan this code with an authenticator app on your phone.</p>
        <QrCode text={uri} label="QR code for an authenticator app" />
        <SecretLine label="Or type this key into the app" text={readSecret(uri)} />
      </Stack>
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
        {(form) => <CodeField label="Code from the app" form={form} isNumeric />}
      </ApiForm>
    </li>
  </Steps>
);
