import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ForgottenPage } from '@/components/sign-in/forgotten-page';
import { readRuntime } from '@/lib/http/runtime';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'New password' };

/** Where the server sends no mail there is no such page. */
export default function Page() {
  return readRuntime().accounts.canMail ? <ForgottenPage /> : notFound();
}
