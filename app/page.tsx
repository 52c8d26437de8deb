import { redirect } from 'next/navigation';
import { Retry } from '@/components/layout/entry-page';
import { PlainPage } from '@/components/layout/plain-page';
import { readHome } from '@/lib/fleets/server/fleet-list';
import { requirePage } from '@/server/page';
import { readRuntime } from '@/server/runtime';
import { readStartSearch } from '@/lib/views/server/views';

export default async function HomePage() {
  const runtime = readRuntime();
  const viewer = await requirePage('viewer');
  const home = await readHome(runtime, viewer);
  if ('usdot' in home && viewer.kind === 'screen') redirect(`/screen/${home.usdot}`);
  if ('usdot' in home) redirect(`/fleets/${home.usdot}${await readStartSearch(runtime, viewer, home.usdot)}`);
  return (
    <PlainPage head="No fleet to open" actions={<Retry />}>
      <p>Linehaul opens the fleet of the carrier of its tracking account. That carrier could not be read:</p>
      <p>
        <b>{home.problem}</b>
      </p>
    </PlainPage>
  );
}
