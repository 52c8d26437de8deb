import type { Metadata } from 'next';
import { AuditPage } from '@/components/audit/audit-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Audit log' };

export default async function Page() {
  await requirePage('manager');
  return <AuditPage />;
}
