import { requireVehicles } from '@/lib/devices/server/devices';
import { MAX_IMPORT_BYTES, loadImportSchema } from '@/lib/loads/schema';
import { importLoads } from '@/lib/loads/server/load-import';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary:
    'Makes and changes loads by their references, all of them or none; a preview says what would become of each.',
  access: 'fleet',
  params: ['usdot'],
  body: loadImportSchema,
  maxBytes: MAX_IMPORT_BYTES,
  handle: async (context) => {
    const { usdot, body } = context;
    const units = body.loads.flatMap(({ unit }) => unit ?? []);
    await requireVehicles(context, usdot, units);
    return importLoads(context, usdot, body);
  },
});
