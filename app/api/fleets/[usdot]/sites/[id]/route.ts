import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { siteChangeSchema } from '@/lib/sites/schema';
import { changeSite, removeSite, requireSiteId } from '@/lib/sites/server/sites';

export const dynamic = 'force-dynamic';

interface Params {
  usdot: string;
  id: string;
}

/** Changes what the body names, and returns the site. */
export const PATCH = createRoute<Params>(
  async (context) => {
    const { usdot, id } = context.params;
    const change = await readInput(context.request, siteChangeSchema);
    return changeSite(context, requireUsdot(usdot), requireSiteId(id), change);
  },
  { access: 'fleet' },
);

/** Removes a site with its visits. */
export const DELETE = createRoute<Params>(
  async (context) => {
    const { usdot, id } = context.params;
    await removeSite(context, requireUsdot(usdot), requireSiteId(id));
  },
  { access: 'fleet' },
);
