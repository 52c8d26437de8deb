import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { siteInputSchema } from '@/lib/rules/site';
import { addSite, listFleetSites } from '@/lib/sites/server/sites';

export const dynamic = 'force-dynamic';

/** The sites of a fleet. */
export const GET = createRoute<{ usdot: string }>(
  (context) => listFleetSites(context, requireUsdot(context.params.usdot)),
  { access: 'map' },
);

/** Adds a site and returns it. */
export const POST = createRoute<{ usdot: string }>(
  async (context) => {
    const input = await readInput(context.request, siteInputSchema);
    return addSite(context, requireUsdot(context.params.usdot), input);
  },
  { access: 'fleet' },
);
