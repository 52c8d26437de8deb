import { toJsonResponse } from '@/lib/http/json-response';
import { readInput } from '@/lib/http/read-input';
import { createRoute } from '@/lib/http/route';
import { linkSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** The address that an invitation is for. A POST, because a link token must not appear in a URL. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    const { token } = await readInput(request, linkSchema);
    return toJsonResponse(await runtime.accounts.linkBearers.readInvitation(token, client));
  },
  { access: 'anyone' },
);
