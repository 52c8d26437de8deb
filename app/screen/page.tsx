import type { Metadata } from 'next';
import { OpenScreenPage } from '@/components/wall-screens/open-screen-page';

export const dynamic = 'force-dynamic';

export const metadata: Metadata = { title: 'Wall screen', referrer: 'no-referrer' };

/** What the link of a wall screen opens; its secret part stands after the "#", which no browser sends to a server. */
export default function Page() {
  return <OpenScreenPage />;
}
