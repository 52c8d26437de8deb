import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: 'Removes the second factor of a user who has lost it.',
  access: 'manager',
  params: ['id'],
  handle: (context) => context.users.removeSecondFactor(context.id, context),
});
