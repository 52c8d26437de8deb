'use client';

import { useAccount } from '@/lib/queries/account';
import styles from './account-page.module.css';
import { PasswordCard } from './password-card';
import { SecondFactorCard } from './second-factor-card';
import { SessionsCard } from './sessions-card';

/** How one signs in, and where one is signed in. */
export const AccountPage = () => {
  const { data: account, error } = useAccount();
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>Your account</h1>
      {error === null ? null : (
        <p className={styles.failure} role="alert">
          {error.message}
        </p>
      )}
      {account === undefined ? (
        error === null && (
          <p className={styles.lead} role="status">
            Your account is being read…
          </p>
        )
      ) : (
        <>
          <p className={styles.lead}>
            {account.name}, {account.email}
          </p>
          {account.isSecondFactorRequired && !account.hasSecondFactor ? (
            <p className={styles.needed} role="status">
              <b>Set up a second factor first.</b> Managers need one here; all other pages open once yours is
              set up.
            </p>
          ) : null}
          {account.hasPassword ? (
            <>
              <SecondFactorCard account={account} />
              <PasswordCard />
            </>
          ) : (
            <section className={styles.card}>
              <h2 className={styles.head}>Password and second factor</h2>
              <p className={styles.lead}>
                You sign in by the single sign-on of your company, which asks for both.
              </p>
            </section>
          )}
          <SessionsCard sessions={account.sessions} />
        </>
      )}
    </div>
  );
};
