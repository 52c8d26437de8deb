import { webhookChangeSchema } from '@/lib/alerts/schema';
import { changeWebhook, removeWebhook } from '@/lib/alerts/server/webhooks';
import { createRoute } from '@/server/route';

export const PATCH = createRoute({
  summary: 'Changes what the body names.',
  access: 'fleet',
  params: ['usdot', 'id'],
  body: webhookChangeSchema,
  handle: (context) => changeWebhook(context, context.usdot, context.id, context.body),
});

export const DELETE = createRoute({
  summary: 'Removes a webhook, whose messages then fail.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => removeWebhook(context, context.usdot, context.id),
});
