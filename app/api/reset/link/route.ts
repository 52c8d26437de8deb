import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { linkSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Whose password a link sets. A POST: what a link bears belongs in no address. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    const { token } = await readInput(request, linkSchema);
    return toJsonResponse(await runtime.accounts.linkBearers.readReset(token, client));
  },
  { access: 'anyone' },
);
