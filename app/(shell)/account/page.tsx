import type { Metadata } from 'next';
import { AccountPage } from '@/components/profile/profile-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Your account' };

export default async function Page() {
  await requirePage('account');
  return <AccountPage />;
}
