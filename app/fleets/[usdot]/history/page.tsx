import type { Metadata } from 'next';
import { HistoryPage } from '@/components/history/history-page';
import { requireFleetPage } from '@/lib/access/page';
import { readRuntime } from '@/lib/access/runtime';

export const metadata: Metadata = { title: 'History' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(decodeURIComponent((await params).usdot), 'fleet');
  const { history, map } = readRuntime();
  return <HistoryPage isRecorded={history !== null} tiles={map.tiles} />;
}
