import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { FleetShell } from '@/components/fleet-shell/fleet-shell';
import { parseUsdot } from '@/lib/identity/carrier-numbers';
import { readFirstFleet } from '@/lib/fleets/server/first-fleet';
import { hasOtherFleets } from '@/lib/fleets/server/fleet-list';
import { requireFleetPage } from '@/lib/http/page';
import { readRuntime } from '@/lib/http/runtime';

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
  const { env, versions } = runtime;
  const first = await readFirstFleet(runtime, viewer, usdot);
  return (
    <FleetShell
      // The key resets the view's state when the fleet changes.
      key={usdot}
      usdot={usdot}
      source={env.providers.length === 0 ? 'embedded' : 'provider'}
      hasOtherFleets={hasOtherFleets(env, viewer)}
      build={versions.build}
      viewer={viewer}
      first={first && { nowMs: first.nowMs, feed: first.fleet.feed, account: first.fleet.account }}
    >
      {children}
    </FleetShell>
  );
}
