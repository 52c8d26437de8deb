import type { Metadata } from 'next';
import { SitePage } from '@/components/sites/site/site-page';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Site' };

export default async function Page({ params }: { params: Promise<{ usdot: string; id: string }> }) {
  await requireFleetPage(params, 'units');
  return <SitePage id={Number((await params).id)} tiles={readRuntime().map.tiles} />;
}
