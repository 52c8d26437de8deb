import type { Metadata } from 'next';
import { BillablePage } from '@/components/proof/detention/billable-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Visits to bill' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <BillablePage />;
}
