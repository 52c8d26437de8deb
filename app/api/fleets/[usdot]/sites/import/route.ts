import { createRoute } from '@/server/route';
import { MAX_IMPORT_BYTES, siteImportSchema } from '@/lib/sites/schema';
import { importSites } from '@/lib/sites/server/sites';

export const POST = createRoute({
  summary: 'Adds and changes sites, all of them or none; returns how many.',
  access: 'fleet',
  params: ['usdot'],
  body: siteImportSchema,
  maxBytes: MAX_IMPORT_BYTES,
  handle: (context) => importSites(context, context.usdot, context.body.sites),
});
