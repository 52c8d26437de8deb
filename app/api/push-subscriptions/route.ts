import { endedSubscriptionSchema, pushSubscriptionSchema } from '@/lib/alerts/schema';
import { subscribeBrowser, unsubscribeBrowser } from '@/lib/alerts/server/account';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: "Subscribes the viewer's browser to messages about alerts.",
  access: 'viewer',
  body: pushSubscriptionSchema,
  handle: (context) => subscribeBrowser(context, context.body),
});

export const DELETE = createRoute({
  summary: 'Ends the subscription of the browser with this endpoint.',
  access: 'viewer',
  body: endedSubscriptionSchema,
  handle: (context) => unsubscribeBrowser(context, context.body.endpoint),
});
