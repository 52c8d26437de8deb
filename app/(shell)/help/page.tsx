import type { Metadata } from 'next';
import { HelpPage } from '@/components/help/help-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Help' };

export default async function Page() {
  await requirePage('viewer');
  return <HelpPage />;
}
