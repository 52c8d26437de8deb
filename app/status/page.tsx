import type { Metadata } from 'next';
import { PageShell } from '@/components/layout/page-shell';
import { StatusPage } from '@/components/status/status-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Status' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('manager')}>
      <StatusPage />
    </PageShell>
  );
}
