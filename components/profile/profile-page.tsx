'use client';

import { AdminPage } from '@/components/admin/admin-page';
import page from '@/components/admin/admin-page.module.css';
import { useAccount } from '@/lib/profile/queries';
import styles from './profile-page.module.css';
import { PasswordCard } from './password-card';
import { SecondFactorCard } from './second-factor-card';
import { SessionsCard } from './sessions-card';

/** How one signs in, and where one is signed in. */
export const AccountPage = () => {
  const { data: account, error } = useAccount();
  return (
    <AdminPage
      title="Your account"
      lead={account === undefined ? undefined : `${account.name}, ${account.email}`}
      error={error}
      isNarrow
    >
      {account === undefined ? (
        error === null && (
          <p className={page.lead} role="status">
            Your account is being read…
          </p>
        )
      ) : (
        <>
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
              <h2 className={page.head}>Password and second factor</h2>
              <p className={page.lead}>
                You sign in by the single sign-on of your company, which asks for both.
              </p>
            </section>
          )}
          <SessionsCard sessions={account.sessions} />
        </>
      )}
    </AdminPage>
  );
};
