import type { Metadata } from 'next';
import { JoinPage } from '@/components/sign-in/link-pages';
import { isPageInTheClear } from '@/server/page';

// A prerendered page has no nonce for its scripts.

export const metadata: Metadata = { title: 'Join' };

/** The page of an invitation link, whose token is in the fragment and so not in the request's address. */
export default async function Page() {
  return <JoinPage isUnencrypted={await isPageInTheClear()} />;
}
