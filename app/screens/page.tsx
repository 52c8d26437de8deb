import type { Metadata } from 'next';
import { PageShell } from '@/components/layout/page-shell';
import { WallScreensPage } from '@/components/wall-screens/wall-screens-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Wall screens' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('manager')}>
      <WallScreensPage />
    </PageShell>
  );
}
