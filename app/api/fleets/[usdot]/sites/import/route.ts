import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { MAX_IMPORT_BYTES, siteImportSchema } from '@/lib/sites/schema';
import { importSites } from '@/lib/sites/server/sites';

export const dynamic = 'force-dynamic';

/** Adds and changes sites, all of them or none; returns how many. */
export const POST = createRoute<{ usdot: string }>(
  async (context) => {
    const { sites } = await readInput(context.request, siteImportSchema, { maxBytes: MAX_IMPORT_BYTES });
    return importSites(context, requireUsdot(context.params.usdot), sites);
  },
  { access: 'fleet' },
);
