import { createRoute } from '@/server/route';
import { readSiteVisits, siteVisitsQuerySchema } from '@/lib/sites/server/site-visits';
import { requireSiteId } from '@/lib/sites/server/sites';

export const GET = createRoute({
  summary: 'Who is at a site now, and the arrivals and departures of a range of time.',
  access: 'units',
  params: ['usdot', 'id'],
  query: siteVisitsQuerySchema,
  handle: (context) => {
    const { usdot, id, viewer, query } = context;
    const site = { usdot, siteId: requireSiteId(id) };
    return readSiteVisits(context, viewer, site, { fromMs: query.from, toMs: query.to });
  },
});
