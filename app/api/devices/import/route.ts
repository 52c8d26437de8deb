import { importVehicles } from '@/lib/devices/server/devices';
import { readInput } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';
import { MAX_CSV_BYTES, importSchema } from '@/lib/devices/schema';

export const dynamic = 'force-dynamic';

/** JSON encodes a line break or a quote as two characters. */
const MAX_INPUT_BYTES = 2 * MAX_CSV_BYTES;

export const POST = createRoute(
  async (context) => {
    const input = await readInput(context.request, importSchema, { maxBytes: MAX_INPUT_BYTES });
    return importVehicles(context, input);
  },
  { access: 'manager' },
);
