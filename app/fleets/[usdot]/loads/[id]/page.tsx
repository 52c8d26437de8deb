import type { Metadata } from 'next';
import { LoadPage } from '@/components/load-board/load-page';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Load' };

export default async function Page({ params }: { params: Promise<{ usdot: string; id: string }> }) {
  await requireFleetPage(params, 'units');
  return <LoadPage id={Number((await params).id)} tiles={readRuntime().map.tiles} />;
}
