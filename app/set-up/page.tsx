import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SetUpPage } from '@/components/sign-in/set-up-page';
import { readSignInState } from '@/server/page';

export const metadata: Metadata = { title: 'Set up' };

export default async function Page() {
  const { isSetUpOpen, isInTheClear } = await readSignInState();
  if (!isSetUpOpen) redirect('/sign-in');
  return <SetUpPage isUnencrypted={isInTheClear} />;
}
