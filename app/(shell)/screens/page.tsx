import type { Metadata } from 'next';
import { WallScreensPage } from '@/components/wall-screens/wall-screens-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Wall screens' };

export default async function Page() {
  await requirePage('manager');
  return <WallScreensPage />;
}
