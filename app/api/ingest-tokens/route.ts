import { createIngestToken } from '@/lib/runtime/devices';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { newTokenSchema } from '@/lib/wire/devices';

export const dynamic = 'force-dynamic';

/** Answers the token, which is told this once. */
export const POST = createRoute(
  async (asked) =>
    toJsonResponse(
      asked.request,
      await createIngestToken(asked, await readInput(asked.request, newTokenSchema)),
    ),
  { access: 'manager' },
);
