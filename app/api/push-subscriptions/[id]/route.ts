import { removeSubscription } from '@/lib/alerts/server/account';
import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: "Ends the subscription of another of the viewer's browsers.",
  access: 'viewer',
  params: ['id'],
  handle: (context) => removeSubscription(context, context.id),
});
