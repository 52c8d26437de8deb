import type { Metadata } from 'next';
import { ResetPage } from '@/components/sign-in/reset-page';
import { isPageInTheClear } from '@/lib/http/page';

// A page made ahead of time has no nonce for its scripts.
export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'New password' };

/** For whoever bears a link to a new password: the server is told of it by a script, not by the address. */
export default async function Page() {
  return <ResetPage isInTheClear={await isPageInTheClear()} />;
}
