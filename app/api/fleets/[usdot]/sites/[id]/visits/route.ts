import { readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { readSiteVisits, siteVisitsQuerySchema } from '@/lib/sites/server/site-visits';
import { requireSiteId } from '@/lib/sites/server/sites';

export const dynamic = 'force-dynamic';

/** Who is at a site now, and the arrivals and departures of a range of time. */
export const GET = createRoute<{ usdot: string; id: string }>(
  async ({ request, params, runtime, viewer }) => {
    const { from, to } = readQuery(request, siteVisitsQuerySchema);
    const range = { fromMs: from, toMs: to };
    return readSiteVisits(
      runtime,
      viewer,
      { usdot: requireUsdot(params.usdot), siteId: requireSiteId(params.id) },
      range,
    );
  },
  { access: 'units' },
);
