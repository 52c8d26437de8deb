import type { Metadata } from 'next';
import { HistoryPage } from '@/components/history/history-page';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'History' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'fleet');
  const { history, map } = readRuntime();
  return <HistoryPage isRecorded={history !== null} tiles={map.tiles} />;
}
