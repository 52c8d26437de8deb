import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInPage } from '@/components/sign-in/sign-in-page';
import { readSignInState } from '@/server/page';
import { toNextPath } from '@/lib/auth/next-path';
import { OIDC_REFUSALS } from '@/lib/auth/schema';

export const metadata: Metadata = { title: 'Sign in' };

interface PageProps {
  searchParams: Promise<{ next?: string | string[]; refused?: string | string[] }>;
}

export default async function Page({ searchParams }: PageProps) {
  const { next, refused } = await searchParams;
  const nextPath = toNextPath(typeof next === 'string' ? next : null);
  const state = await readSignInState();
  if (state.viewer !== null) redirect(nextPath);
  if (state.isSetUpOpen) redirect('/set-up');
  return (
    <SignInPage
      nextPath={nextPath}
      isAway={state.isAway}
      isDemo={state.isDemo}
      isUnencrypted={state.isInTheClear}
      canMail={state.canMail}
      hasOidc={state.hasOidc}
      refusal={OIDC_REFUSALS.find((refusal) => refusal === refused) ?? null}
    />
  );
}
