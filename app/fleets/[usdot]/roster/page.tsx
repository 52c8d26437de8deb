import type { Metadata } from 'next';
import { RosterPage } from '@/components/roster/roster-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Roster' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'units');
  return <RosterPage />;
}
