import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ForgottenPage } from '@/components/sign-in/link-pages';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'New password' };

/** The page exists only if the server sends mail. */
export default function Page() {
  return readRuntime().linkTokens.canMail ? <ForgottenPage /> : notFound();
}
