'use client';

import { Text } from '@mantine/core';
import { PageFrame, Loaded, Section } from '@/components/kit/page-frame';
import { useAccount } from '@/lib/profile/queries';
import { PasswordCard } from './password-card';
import { SecondFactorCard } from './second-factor-card';
import { SessionsCard } from './sessions-card';

/** The user's own account: sign-in methods and sessions. */
export const AccountPage = () => {
  const query = useAccount();
  const { data } = query;
  return (
    <PageFrame
      title="Your account"
      lead={data === undefined ? undefined : `${data.name}, ${data.email}`}
      error={query.error}
      width="text"
    >
      <Loaded query={query}>
        {(account) => (
          <>
            {account.isSecondFactorRequired && !account.hasSecondFactor ? (
              <Text inherit px={18} py={14} bdrs={12} bg="var(--lh-warn-ground)" role="status">
                <b>Set up a second factor first.</b> Managers need one here. All other pages open once yours
                is set up.
              </Text>
            ) : null}
            {account.hasPassword ? (
              <>
                <SecondFactorCard account={account} />
                <PasswordCard />
              </>
            ) : (
              <Section
                title="Password and second factor"
                lead="You sign in through your company’s single sign-on, which handles both."
                isCard
              />
            )}
            <SessionsCard sessions={account.sessions} />
          </>
        )}
      </Loaded>
    </PageFrame>
  );
};
