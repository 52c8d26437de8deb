import type { Metadata } from 'next';
import { AccountPage } from '@/components/account/account-page';
import { PageShell } from '@/components/screen/page-shell';
import { requirePage } from '@/lib/runtime/page';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'Your account' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('account')}>
      <AccountPage />
    </PageShell>
  );
}
