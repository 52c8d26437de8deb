import { webhookInputSchema } from '@/lib/alerts/schema';
import { addWebhook, listWebhooks } from '@/lib/alerts/server/webhooks';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The webhooks of a fleet, for its managers.',
  access: 'fleet',
  params: ['usdot'],
  handle: (context) => listWebhooks(context, context.usdot),
});

export const POST = createRoute({
  summary: 'Adds a webhook and returns it with its secret, once.',
  access: 'fleet',
  params: ['usdot'],
  body: webhookInputSchema,
  handle: (context) => addWebhook(context, context.usdot, context.body),
});
