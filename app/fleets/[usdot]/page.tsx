import { FleetScreen } from '@/components/fleet/fleet-screen';
import { readFirstFleet } from '@/lib/fleets/server/first-fleet';
import { requireFleetPage } from '@/lib/http/page';
import { readRuntime } from '@/lib/http/runtime';
import { toFirstRows } from '@/lib/view/first-rows';
import { parseViewState } from '@/lib/view/view-state';

export const dynamic = 'force-dynamic';

interface FleetPageProps {
  params: Promise<{ usdot: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const toSearch = (parameters: Record<string, string | string[] | undefined>): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    ),
  ).toString();

export default async function FleetPage({ params, searchParams }: FleetPageProps) {
  const { viewer, usdot } = await requireFleetPage(decodeURIComponent((await params).usdot), 'map');
  const runtime = readRuntime();
  const first = await readFirstFleet(runtime, viewer, usdot);
  const view = parseViewState(toSearch(await searchParams));
  return <FleetScreen tiles={runtime.map.tiles} first={first && toFirstRows(first.fleet, view)} />;
}
