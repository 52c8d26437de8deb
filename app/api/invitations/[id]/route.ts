import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: 'Withdraws an invitation; its link stops working.',
  access: 'manager',
  params: ['id'],
  handle: (context) => context.users.withdraw(context.id, context),
});
