import { createIngestToken } from '@/lib/devices/server/devices';
import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { newTokenSchema } from '@/lib/devices/schema';

export const dynamic = 'force-dynamic';

/** Returns the token, which is shown only once. */
export const POST = createRoute(
  async (asked) =>
    toJsonResponse(await createIngestToken(asked, await readInput(asked.request, newTokenSchema))),
  { access: 'manager' },
);
