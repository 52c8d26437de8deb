import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { linkSchema } from '@/lib/wire/users';

export const dynamic = 'force-dynamic';

/** Whose password a link sets. A POST: what a link bears belongs in no address. */
export const POST = createRoute(
  async ({ request, runtime, asker }) => {
    const { token } = await readInput(request, linkSchema);
    return toJsonResponse(request, await runtime.accounts.linkBearers.readReset(token, asker));
  },
  { access: 'anyone' },
);
