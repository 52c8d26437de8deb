import { replayDelivery } from '@/lib/alerts/server/webhooks';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Sends a message to its webhook again, under its id.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => replayDelivery(context, context.usdot, context.id),
});
