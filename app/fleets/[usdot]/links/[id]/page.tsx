import type { Metadata } from 'next';
import { LinkPage } from '@/components/links/link-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Link' };

export default async function Page({ params }: { params: Promise<{ usdot: string; id: string }> }) {
  await requireFleetPage(params, 'units');
  return <LinkPage id={(await params).id} />;
}
