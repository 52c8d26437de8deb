import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { linkSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** The address that an invitation is for. A POST, because a link token must not appear in a URL. */
export const POST = createRoute(
  async ({ request, runtime, client }) => {
    const { token } = await readInput(request, linkSchema);
    return runtime.accounts.linkTokens.readInvitation(token, client);
  },
  { access: 'anyone' },
);
