import type { Metadata } from 'next';
import { ProviderDevicesPage } from '@/components/devices/devices-page';
import { RefusedPage } from '@/components/devices/refused-page';
import { listProviderHosts } from '@/lib/config/providers';
import { requirePage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Refused reports' };

export default async function Page() {
  await requirePage('manager');
  const hosts = listProviderHosts(readRuntime().env.providers);
  return hosts.length === 0 ? <RefusedPage /> : <ProviderDevicesPage hosts={hosts} />;
}
