'use client';

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import page from '@/components/admin/admin-page.module.css';
import { ApiForm } from '@/components/ui/api-form';
import { removeSecondFactor, renewRecoveryCodes, startSecondFactor } from '@/lib/profile/queries';
import { passwordAgainSchema } from '@/lib/profile/schema';
import type { Account, SecondFactorStart } from '@/lib/profile/schema';
import styles from './profile-page.module.css';
import { OwnPasswordField } from './own-password-field';
import { RecoveryCodes } from './recovery-codes';
import { SecondFactorSteps } from './second-factor-steps';

type Doing = 'nothing' | 'starting' | 'renewing' | 'removing';

const ACTIONS: Record<Exclude<Doing, 'nothing'>, string> = {
  starting: 'Go on',
  renewing: 'Make new recovery codes',
  removing: 'Remove the second factor',
};

/** The second factor: setting it up, new recovery codes, removing it. Each asks for the password again. */
export const SecondFactorCard = ({ account }: { account: Account }) => {
  const queries = useQueryClient();
  const [doing, setDoing] = useState<Doing>('nothing');
  const [started, setStarted] = useState<SecondFactorStart | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  const send = async (password: string): Promise<void> => {
    if (doing === 'starting') setStarted(await startSecondFactor({ password }));
    if (doing === 'renewing') setCodes(await renewRecoveryCodes({ password }));
    if (doing === 'removing') await removeSecondFactor({ password });
    await queries.invalidateQueries({ queryKey: ['account'] });
    setDoing('nothing');
  };

  return (
    <section className={styles.card} aria-labelledby="account-second-factor">
      <h2 id="account-second-factor" className={page.head}>
        Second factor
      </h2>
      <p className={page.lead}>
        {account.hasSecondFactor
          ? 'On. Signing in asks for a code of your authenticator app after the password.'
          : 'Off. With it, signing in takes your password and a code of an app on your phone: a stolen password is not enough.'}
      </p>
      {codes === null ? null : <RecoveryCodes codes={codes} />}
      {started !== null && !account.hasSecondFactor ? <SecondFactorSteps start={started} /> : null}
      {doing !== 'nothing' ? (
        <ApiForm
          key={doing}
          initialValues={{ password: '' }}
          schema={passwordAgainSchema}
          action={ACTIONS[doing]}
          send={({ password }) => send(password)}
        >
          {(form) => <OwnPasswordField label="Your password" form={form} />}
        </ApiForm>
      ) : started !== null && !account.hasSecondFactor ? null : (
        <div className={page.actions}>
          {account.hasSecondFactor ? (
            <>
              <Button variant="default" onClick={() => setDoing('renewing')}>
                New recovery codes…
              </Button>
              {account.isSecondFactorRequired ? null : (
                <Button variant="default" onClick={() => setDoing('removing')}>
                  Remove…
                </Button>
              )}
            </>
          ) : (
            <Button onClick={() => setDoing('starting')}>Set up…</Button>
          )}
        </div>
      )}
    </section>
  );
};
