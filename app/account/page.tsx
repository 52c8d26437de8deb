import type { Metadata } from 'next';
import { AccountPage } from '@/components/profile/profile-page';
import { PageShell } from '@/components/layout/page-shell';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Your account' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('account')}>
      <AccountPage />
    </PageShell>
  );
}
