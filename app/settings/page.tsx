import type { Metadata } from 'next';
import { PageShell } from '@/components/layout/page-shell';
import { SettingsPage } from '@/components/settings/settings-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Settings' };

export default async function Page() {
  return (
    <PageShell viewer={await requirePage('manager')}>
      <SettingsPage />
    </PageShell>
  );
}
