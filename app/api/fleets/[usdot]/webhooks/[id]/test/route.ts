import { testWebhook } from '@/lib/alerts/server/webhooks';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Sends a test to a webhook at once, and returns what came of it.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => testWebhook(context, context.usdot, context.id, context.request.signal),
});
