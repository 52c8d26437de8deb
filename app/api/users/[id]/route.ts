import { createRoute } from '@/server/route';
import { userChangeSchema, userSchema } from '@/lib/users/schema';

export const PATCH = createRoute({
  summary:
    "Changes a user's name, role or fleets, or disables or enables the user, from the user's next request on.",
  access: 'manager',
  params: ['id'],
  body: userChangeSchema,
  answer: userSchema,
  handle: (context) => context.users.change(context.id, context.body, context),
});
