import type { Metadata } from 'next';
import { AuditPage } from '@/components/audit/audit-page';
import { PageShell } from '@/components/layout/page-shell';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Audit log' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('manager')}>
      <AuditPage />
    </PageShell>
  );
}
