import { queryHistory } from '@/lib/past/server/queries';
import { requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { listFleetSites } from '@/lib/sites/server/sites';
import { suggestSites } from '@/lib/sites/server/suggest-sites';

export const dynamic = 'force-dynamic';

/** Places where the units of a fleet stopped often, and that are no site. */
export const GET = createRoute<{ usdot: string }>(
  async ({ params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { sites } = await listFleetSites({ runtime, viewer }, usdot);
    return queryHistory(runtime, viewer, ({ reader }) =>
      suggestSites(reader, usdot, sites, runtime.clock.nowMs()),
    );
  },
  { access: 'fleet' },
);
