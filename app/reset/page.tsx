import type { Metadata } from 'next';
import { ResetPage } from '@/components/sign-in/link-pages';
import { isPageInTheClear } from '@/server/page';

// A prerendered page has no nonce for its scripts.

export const metadata: Metadata = { title: 'New password' };

/** The page of a password reset link, whose token is in the fragment and so not in the request's address. */
export default async function Page() {
  return <ResetPage isUnencrypted={await isPageInTheClear()} />;
}
