import type { ReactNode } from 'react';
import { FleetShell } from '@/components/fleet-shell/fleet-shell';
import { PageShell } from '@/components/layout/page-shell';
import { readFirstFleet } from '@/lib/fleets/server/first-fleet';
import { hasOtherFleets } from '@/lib/fleets/server/fleet-list';
import { readPageShell } from '@/server/page';
import { readRuntime } from '@/server/runtime';

/** The shell of the pages that belong to no fleet: the bar of the fleet that was shown last, so that its search, bell and live state stay. */
export default async function ShellLayout({ children }: { children: ReactNode }) {
  const shell = await readPageShell();
  // The page itself leads to the sign-in.
  if (shell === null) return children;
  const { viewer, usdot } = shell;
  if (usdot === null) return <PageShell viewer={viewer}>{children}</PageShell>;
  const runtime = readRuntime();
  const first = await readFirstFleet(runtime, viewer, usdot);
  return (
    <FleetShell
      key={usdot}
      usdot={usdot}
      isDemo={runtime.env.source === 'demo'}
      hasOtherFleets={hasOtherFleets(runtime.env, viewer)}
      build={runtime.versions.build}
      viewer={viewer}
      first={
        first && {
          nowMs: first.nowMs,
          feed: first.fleet.feed,
          account: first.fleet.account,
          list: null,
          map: null,
        }
      }
      map={null}
    >
      {children}
    </FleetShell>
  );
}
