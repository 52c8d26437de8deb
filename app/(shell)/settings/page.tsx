import type { Metadata } from 'next';
import { SettingsPage } from '@/components/settings/settings-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Settings' };

export default async function Page() {
  await requirePage('manager');
  return <SettingsPage />;
}
