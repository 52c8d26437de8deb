import type { Metadata } from 'next';
import { PageShell } from '@/components/screen/page-shell';
import { SettingsPage } from '@/components/settings/settings-page';
import { requirePage } from '@/lib/runtime/page';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'Settings' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('manager')}>
      <SettingsPage />
    </PageShell>
  );
}
