import type { Metadata } from 'next';
import { PlainPage } from '@/components/layout/plain-page';

export const metadata: Metadata = { title: 'No such page' };

export default function NotFound() {
  return (
    <PlainPage head="No such page">
      <p>No page has this address.</p>
    </PlainPage>
  );
}
