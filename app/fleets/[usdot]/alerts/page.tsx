import type { Metadata } from 'next';
import { AlertsPage } from '@/components/alerts/alerts-page';
import { requireFleetPage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Alerts' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <AlertsPage isRecorded={readRuntime().history !== null} />;
}
