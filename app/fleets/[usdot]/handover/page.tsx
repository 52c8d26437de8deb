import type { Metadata } from 'next';
import { HandoverPage } from '@/components/handover/handover-page';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Handover' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'fleet');
  return <HandoverPage isRecorded={readRuntime().history !== null} />;
}
