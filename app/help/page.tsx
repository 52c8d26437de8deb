import type { Metadata } from 'next';
import { HelpPage } from '@/components/help/help-page';
import { PageShell } from '@/components/layout/page-shell';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Help' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('viewer')}>
      <HelpPage />
    </PageShell>
  );
}
