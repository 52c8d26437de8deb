import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { inviteSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** Creates an invitation; the link is in this answer only. */
export const POST = createRoute(
  async ({ request, runtime, client, viewer }) => {
    const input = await readInput(request, inviteSchema);
    const by = { viewer, address: client.address };
    return runtime.accounts.userAdmin.invite(input, by);
  },
  { access: 'manager' },
);
