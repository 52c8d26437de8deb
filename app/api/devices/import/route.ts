import { importVehicles } from '@/lib/devices/server/devices';
import { createRoute } from '@/server/route';
import { MAX_FILE_BYTES, importSchema } from '@/lib/devices/schema';

/** Base64 has four characters for three bytes; the rest is room for the other fields. */
const MAX_INPUT_BYTES = (MAX_FILE_BYTES / 3) * 4 + 64 * 1024;

export const POST = createRoute({
  summary: 'Previews a file of vehicles, and imports it if the preview is the confirmed one.',
  access: 'manager',
  body: importSchema,
  maxBytes: MAX_INPUT_BYTES,
  handle: (context) => importVehicles(context, context.body),
});
