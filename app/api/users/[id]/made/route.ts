import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';
import { userMadeSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** What a user made that opens something without signing in: a change of rights ends what it takes the right to. */
export const GET = createRoute<{ id: string }>(
  async ({ params, runtime, client, viewer }) => {
    const by = { viewer, address: client.address };
    const made = await runtime.accounts.userAdmin.readMade(params.id, by);
    return toJsonResponse(userMadeSchema.parse(made));
  },
  { access: 'manager' },
);
