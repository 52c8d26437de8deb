import { createRoute } from '@/lib/access/route';
import { userMadeSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/**
 * A user's wall screens, keys and tokens, which open something without a sign-in; a change of rights revokes
 * those that the user may no longer make.
 */
export const GET = createRoute<{ id: string }>(
  async ({ params, runtime, client, viewer }) => {
    const by = { viewer, address: client.address };
    const made = await runtime.accounts.userAdmin.readMade(params.id, by);
    return userMadeSchema.parse(made);
  },
  { access: 'manager' },
);
