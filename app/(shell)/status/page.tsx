import type { Metadata } from 'next';
import { StatusPage } from '@/components/status/status-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Status' };

export default async function Page() {
  await requirePage('manager');
  return <StatusPage />;
}
