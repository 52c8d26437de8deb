import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { userChangeSchema, userSchema } from '@/lib/wire/users';

export const dynamic = 'force-dynamic';

/** Changes a user's name, role or fleets, disables or enables one; it holds from the user's next request on. */
export const PATCH = createRoute<{ id: string }>(
  async ({ request, params, runtime, asker, viewer }) => {
    const change = await readInput(request, userChangeSchema);
    const by = { viewer, address: asker.address };
    const user = await runtime.accounts.userAdmin.change(params.id, change, by);
    return toJsonResponse(request, userSchema.parse(user));
  },
  { access: 'manager' },
);
