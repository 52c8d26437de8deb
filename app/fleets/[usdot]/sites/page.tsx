import type { Metadata } from 'next';
import { SitesPage } from '@/components/sites/sites-page';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Sites' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  const { history, map } = readRuntime();
  return <SitesPage isRecorded={history !== null} tiles={map.tiles} />;
}
