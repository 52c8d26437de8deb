import type { Metadata } from 'next';
import { GradesPage } from '@/components/load-board/grades-page';
import { requireFleetPage } from '@/server/page';

export const metadata: Metadata = { title: 'Arrival grades' };

export default async function Page({ params }: { params: Promise<{ usdot: string }> }) {
  await requireFleetPage(params, 'fleet');
  return <GradesPage />;
}
