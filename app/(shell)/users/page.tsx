import type { Metadata } from 'next';
import { UsersPage } from '@/components/users/users-page';
import { requirePage } from '@/server/page';

export const metadata: Metadata = { title: 'Users' };

export default async function Page() {
  await requirePage('manager');
  return <UsersPage />;
}
