import { toJsonResponse } from '@/lib/runtime/json-response';
import { readInput } from '@/lib/runtime/read-input';
import { createRoute } from '@/lib/runtime/route';
import { inviteSchema } from '@/lib/wire/users';

export const dynamic = 'force-dynamic';

/** Invites somebody; the link is told in the answer, and never again. */
export const POST = createRoute(
  async ({ request, runtime, asker, viewer }) => {
    const input = await readInput(request, inviteSchema);
    const by = { viewer, address: asker.address };
    return toJsonResponse(request, await runtime.accounts.userAdmin.invite(input, by));
  },
  { access: 'manager' },
);
