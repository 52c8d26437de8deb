import type { Metadata } from 'next';
import { LinksPage } from '@/components/links/links-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Links' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <LinksPage />;
}
