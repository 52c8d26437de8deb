import { createRoute } from '@/lib/access/route';
import { usersAnswerSchema } from '@/lib/users/schema';

export const dynamic = 'force-dynamic';

/** The users whom a manager may change, and the open invitations. */
export const GET = createRoute(
  async ({ runtime, viewer }) => {
    const { users, invitations } = await runtime.accounts.userAdmin.list(viewer);
    return usersAnswerSchema.parse({ nowMs: runtime.clock.nowMs(), users, invitations });
  },
  { access: 'manager' },
);
