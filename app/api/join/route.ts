import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { joinSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Makes the user whom a manager invited, for who bears the link. */
export const POST = createRoute(
  async ({ request, runtime, client }) =>
    toJsonResponse(await runtime.accounts.linkBearers.join(await readInput(request, joinSchema), client)),
  { access: 'anyone' },
);
