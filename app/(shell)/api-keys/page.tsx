import type { Metadata } from 'next';
import { ApiKeysPage, ProviderKeysPage } from '@/components/api-keys/api-keys-page';
import { listProviderHosts } from '@/lib/config/providers';
import { requirePage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'API keys' };

export default async function Page() {
  await requirePage('manager');
  const hosts = listProviderHosts(readRuntime().env.providers);
  return hosts.length === 0 ? <ApiKeysPage /> : <ProviderKeysPage hosts={hosts} />;
}
