import { importVehicles } from '@/lib/runtime/devices';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { MAX_CSV_BYTES, importSchema } from '@/lib/wire/devices';

export const dynamic = 'force-dynamic';

/** JSON writes a line break as two characters, and a quote too. */
const MAX_INPUT_BYTES = 2 * MAX_CSV_BYTES;

export const POST = createRoute(
  async (asked) => {
    const input = await readInput(asked.request, importSchema, { maxBytes: MAX_INPUT_BYTES });
    return toJsonResponse(asked.request, await importVehicles(asked, input));
  },
  { access: 'manager' },
);
