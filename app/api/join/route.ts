import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { joinSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Creates the invited user for the bearer of the link. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    toJsonResponse(await runtime.accounts.linkBearers.join(await readInput(request, joinSchema), client)),
  { access: 'anyone' },
);
