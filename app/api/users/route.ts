import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';
import { usersAnswerSchema } from '@/lib/wire/users';

export const dynamic = 'force-dynamic';

/** The users whom a manager may change, and the invitations that are out. */
export const GET = createRoute(
  async ({ request, runtime, viewer }) => {
    const { users, invitations } = await runtime.accounts.userAdmin.list(viewer);
    return toJsonResponse(request, usersAnswerSchema.parse({ nowMs: runtime.now(), users, invitations }));
  },
  { access: 'manager' },
);
