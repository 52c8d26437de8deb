import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ForgottenPage } from '@/components/sign-in/link-pages';
import { readRuntime } from '@/lib/access/runtime';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'New password' };

/** The page exists only if the server sends mail. */
export default function Page() {
  return readRuntime().accounts.canMail ? <ForgottenPage /> : notFound();
}
