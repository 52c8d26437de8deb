import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: 'Revokes a wall screen: its link stops working, and its screen goes dark.',
  access: 'manager',
  params: ['id'],
  handle: (context) => context.screens.revoke(context.id, context),
});
