import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { userChangeSchema, userSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/**
 * Changes a user's name, role or fleets, or disables or enables the user; takes effect with the user's next
 * request.
 */
export const PATCH = createRoute<{ id: string }>(
  async ({ request, params, runtime, client, viewer }) => {
    const change = await readInput(request, userChangeSchema);
    const by = { viewer, address: client.address };
    const user = await runtime.accounts.userAdmin.change(params.id, change, by);
    return userSchema.parse(user);
  },
  { access: 'manager' },
);
