import type { Metadata } from 'next';
import { OpenScreenPage } from '@/components/wall-screens/open-screen-page';

export const metadata: Metadata = { title: 'Wall screen', referrer: 'no-referrer' };

/** The page that a wall screen's link opens; its secret is in the fragment, which no browser sends to a server. */
export default function Page() {
  return <OpenScreenPage />;
}
