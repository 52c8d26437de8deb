import type { Metadata } from 'next';
import { LoadsPage } from '@/components/load-board/loads-page';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Loads' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <LoadsPage isRecorded={readRuntime().history !== null} />;
}
