import { createRoute } from '@/server/route';
import { usersAnswerSchema } from '@/lib/users/schema';

export const GET = createRoute({
  summary: 'The users whom a manager may change, and the open invitations.',
  access: 'manager',
  answer: usersAnswerSchema,
  handle: async ({ users, viewer, clock }) => ({ nowMs: clock.nowMs(), ...(await users.list(viewer)) }),
});
