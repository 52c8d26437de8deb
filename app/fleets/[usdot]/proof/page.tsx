import type { Metadata } from 'next';
import { ProofPage } from '@/components/proof/proof-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Proof' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <ProofPage />;
}
