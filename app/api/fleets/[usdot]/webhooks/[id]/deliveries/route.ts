import { listDeliveries } from '@/lib/alerts/server/webhooks';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The newest messages to a webhook.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => listDeliveries(context, context.usdot, context.id),
});
