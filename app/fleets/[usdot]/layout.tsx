import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { preload } from 'react-dom';
import { FleetScreen } from '@/components/fleet/fleet-screen';
import { OVERVIEW_URL } from '@/lib/geo/base-map/basemap-file';
import { FleetShell } from '@/components/fleet-shell/fleet-shell';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { readFirstFleet } from '@/lib/fleets/server/first-fleet';
import { hasOtherFleets } from '@/lib/fleets/server/fleet-list';
import { requireFleetPage } from '@/server/page';
import { UNKNOWN_CONTEXT, readRequestContext, readRuntime } from '@/server/runtime';
import { readFirstSites } from '@/lib/sites/server/first-sites';
import { toFirstMap } from '@/lib/view/first-map';
import { toFirstRows } from '@/lib/view/first-rows';
import { parseViewState } from '@/lib/view/view-state';
import { STORED_PAGE_HEADER } from '@/lib/base/http/protocol';

interface FleetLayoutProps {
  params: Promise<{ usdot: string }>;
  children: ReactNode;
}

export const generateMetadata = async ({ params }: FleetLayoutProps): Promise<Metadata> => {
  const usdot = parseUsdot(decodeURIComponent((await params).usdot));
  return usdot === null
    ? { title: 'No such fleet' }
    : { title: { default: `USDOT ${usdot}`, template: '%s · Linehaul' } };
};

export default async function FleetLayout({ params, children }: FleetLayoutProps) {
  const { viewer, usdot } = await requireFleetPage(params, 'map');
  const runtime = readRuntime();
  const { env, versions, map } = runtime;
  // A layout is given neither the address's path nor its parameters.
  const { target, shownAddress } = readRequestContext() ?? UNKNOWN_CONTEXT;
  const { pathname, search } = new URL(shownAddress ?? target, 'http://localhost');
  const view = pathname === `/fleets/${usdot}` ? parseViewState(search) : null;
  if (view !== null && viewer.kind === 'screen') redirect(`/screen/${usdot}`);
  // The HTML never shows the live fleet where the address names a moment in the past.
  const isPast = view !== null && view.past !== null && viewer.tags === null;
  const isStored = (await headers()).has(STORED_PAGE_HEADER);
  const first = isPast || isStored ? null : await readFirstFleet(runtime, viewer, usdot);
  const sites = first && view && (await readFirstSites(runtime, first.fleet));
  // Land is there as early as the script that draws it.
  if (view !== null) preload(OVERVIEW_URL, { as: 'fetch', crossOrigin: 'anonymous' });
  return (
    <FleetShell
      // The key resets the view's state when the fleet changes.
      key={usdot}
      usdot={usdot}
      isDemo={env.source === 'demo'}
      hasOtherFleets={hasOtherFleets(env, viewer)}
      build={versions.build}
      viewer={viewer}
      first={
        first && {
          nowMs: first.nowMs,
          feed: first.fleet.feed,
          account: first.fleet.account,
          list: view && toFirstRows(first.fleet, view, sites),
          map: view && toFirstMap(first.fleet, view),
        }
      }
      map={
        <FleetScreen
          tiles={map.tiles}
          hasChecklist={env.source === 'own' && viewer.role === 'manager'}
          // A demo with a past has what the tour shows.
          hasTour={env.source === 'demo' && env.demoHistoryHours > 0}
          hasPast={env.recordIntervalMs !== null && viewer.tags === null}
        />
      }
    >
      {children}
    </FleetShell>
  );
}
