import type { Metadata } from 'next';
import { OfflinePage } from '@/components/layout/offline-page';

export const metadata: Metadata = { title: 'No connection' };

/** What the service worker shows for an address that it has no copy of. */
export default function Page() {
  return <OfflinePage />;
}
