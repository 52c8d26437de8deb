import type { Metadata } from 'next';
import { DevicesPage, ProviderDevicesPage } from '@/components/devices/devices-page';
import { listProviderHosts } from '@/lib/config/providers';
import { listPhoneOrigins } from '@/lib/devices/server/phone-origins';
import { requirePage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Devices' };

export default async function Page() {
  await requirePage('manager');
  const { env } = readRuntime();
  const hosts = listProviderHosts(env.providers);
  return hosts.length === 0 ? (
    <DevicesPage phoneOrigins={listPhoneOrigins(env)} />
  ) : (
    <ProviderDevicesPage hosts={hosts} />
  );
}
