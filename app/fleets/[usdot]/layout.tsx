import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { FleetScreen } from '@/components/fleet/fleet-screen';
import { FleetShell } from '@/components/fleet-shell/fleet-shell';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { readFirstFleet } from '@/lib/fleets/server/first-fleet';
import { hasOtherFleets } from '@/lib/fleets/server/fleet-list';
import { requireFleetPage } from '@/lib/http/page';
import { UNKNOWN_CONTEXT, readRequestContext, readRuntime } from '@/lib/http/runtime';
import { toFirstRows } from '@/lib/view/first-rows';
import { parseViewState } from '@/lib/view/view-state';

export const dynamic = 'force-dynamic';

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
  const { viewer, usdot } = await requireFleetPage(decodeURIComponent((await params).usdot), 'map');
  const runtime = readRuntime();
  const { env, versions, map } = runtime;
  const first = await readFirstFleet(runtime, viewer, usdot);
  // A layout is not given the address's parameters.
  const { target } = readRequestContext() ?? UNKNOWN_CONTEXT;
  const view = parseViewState(new URL(target, 'http://localhost').search);
  return (
    <FleetShell
      // The key resets the view's state when the fleet changes.
      key={usdot}
      usdot={usdot}
      source={env.providers.length === 0 ? 'embedded' : 'provider'}
      hasOtherFleets={hasOtherFleets(env, viewer)}
      build={versions.build}
      viewer={viewer}
      first={
        first && {
          nowMs: first.nowMs,
          feed: first.fleet.feed,
          account: first.fleet.account,
          list: toFirstRows(first.fleet, view),
        }
      }
      map={<FleetScreen tiles={map.tiles} />}
    >
      {children}
    </FleetShell>
  );
}
