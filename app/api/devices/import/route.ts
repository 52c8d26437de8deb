import { importVehicles } from '@/lib/devices/server/devices';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { MAX_FILE_BYTES, importSchema } from '@/lib/devices/schema';

export const dynamic = 'force-dynamic';

/** Base64 has four characters for three bytes; the rest is room for the other fields. */
const MAX_INPUT_BYTES = (MAX_FILE_BYTES / 3) * 4 + 64 * 1024;

export const POST = createRoute(
  async (context) => {
    const input = await readInput(context.request, importSchema, { maxBytes: MAX_INPUT_BYTES });
    return importVehicles(context, input);
  },
  { access: 'manager' },
);
