import { createRoute } from '@/server/route';
import { inviteSchema } from '@/lib/users/schema';

export const POST = createRoute({
  summary: 'Creates an invitation; the link is in this answer only.',
  access: 'manager',
  body: inviteSchema,
  handle: (context) => context.users.invite(context.body, context),
});
