import { createRoute } from '@/server/route';
import { userMadeSchema } from '@/lib/users/schema';

export const GET = createRoute({
  // A change of rights revokes those that the user may no longer make.
  summary: "A user's wall screens, keys and tokens, which open something without a sign-in.",
  access: 'manager',
  params: ['id'],
  answer: userMadeSchema,
  handle: (context) => context.users.readMade(context.id, context),
});
