import type { Metadata } from 'next';
import { UsersPage } from '@/components/users/users-page';
import { PageShell } from '@/components/layout/page-shell';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Users' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('manager')}>
      <UsersPage />
    </PageShell>
  );
}
