import type { Metadata } from 'next';
import { TermsPage } from '@/components/proof/detention/terms-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Terms of detention' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <TermsPage />;
}
