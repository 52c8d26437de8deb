import type { Metadata } from 'next';
import { HelpPage } from '@/components/help/help-page';
import { PageShell } from '@/components/screen/page-shell';
import { requirePage } from '@/lib/runtime/page';

export const metadata: Metadata = { title: 'Help' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('viewer')}>
      <HelpPage />
    </PageShell>
  );
}
