import { queryHistory } from '@/lib/past/server/queries';
import { createRoute } from '@/server/route';
import { listFleetSites } from '@/lib/sites/server/sites';
import { suggestSites } from '@/lib/sites/server/suggest-sites';

export const GET = createRoute({
  summary: 'Positions at which the units of a fleet stopped often, and that are no site.',
  access: 'fleet',
  params: ['usdot'],
  handle: async (context) => {
    const { usdot, viewer, clock } = context;
    const { sites } = await listFleetSites(context, usdot);
    return queryHistory(context, viewer, ({ reader }) => suggestSites(reader, usdot, sites, clock.nowMs()));
  },
});
