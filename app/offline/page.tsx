import type { Metadata } from 'next';
import { OfflinePage } from '@/components/layout/offline-page';

export const metadata: Metadata = { title: 'No connection' };

/** The page that the service worker shows for an address of which it has no copy. */
export default function Page() {
  return <OfflinePage />;
}
