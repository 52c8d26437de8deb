import type { Metadata } from 'next';
import { JoinPage } from '@/components/sign-in/join-page';
import { isPageInTheClear } from '@/lib/http/page';

// A page made ahead of time has no nonce for its scripts.
export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'Join' };

/** For whoever bears an invitation: the server is told of it by a script, not by the address. */
export default async function Page() {
  return <JoinPage isInTheClear={await isPageInTheClear()} />;
}
