import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { joinSchema } from '@/lib/wire/users';

export const dynamic = 'force-dynamic';

/** Makes the user whom a manager invited, for who bears the link. */
export const POST = createRoute(
  async ({ request, runtime, asker }) =>
    toJsonResponse(
      request,
      await runtime.accounts.linkBearers.join(await readInput(request, joinSchema), asker),
    ),
  { access: 'anyone' },
);
