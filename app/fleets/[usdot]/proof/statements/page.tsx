import type { Metadata } from 'next';
import { StatementsPage } from '@/components/proof/detention/statements-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Statements by month' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <StatementsPage />;
}
