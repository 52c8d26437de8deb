import type { Metadata } from 'next';
import { PageShell } from '@/components/layout/page-shell';
import { SourcePage } from '@/components/fleet-source/source-page';
import { readSource } from '@/lib/fleet-source/server/change-source';
import { isPageInTheClear, requirePage } from '@/server/page';
import { readRuntime } from '@/server/runtime';

export const metadata: Metadata = { title: 'Fleet source' };

/** Without the bar of a fleet, because here the fleets of the server change. */
export default async function Page() {
  const viewer = await requirePage('manager');
  return (
    <PageShell viewer={viewer}>
      <SourcePage source={await readSource(readRuntime(), viewer)} isUnencrypted={await isPageInTheClear()} />
    </PageShell>
  );
}
