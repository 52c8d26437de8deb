import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Creates a password reset link for a user.',
  access: 'manager',
  params: ['id'],
  handle: (context) => context.users.makeReset(context.id, context),
});
