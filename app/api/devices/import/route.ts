import { importVehicles } from '@/lib/devices/server/devices';
import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { MAX_CSV_BYTES, importSchema } from '@/lib/devices/schema';

export const dynamic = 'force-dynamic';

/** JSON encodes a line break or a quote as two characters. */
const MAX_INPUT_BYTES = 2 * MAX_CSV_BYTES;

export const POST = createRoute(
  async (asked) => {
    const input = await readInput(asked.request, importSchema, { maxBytes: MAX_INPUT_BYTES });
    return toJsonResponse(await importVehicles(asked, input));
  },
  { access: 'manager' },
);
