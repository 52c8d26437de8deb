import { readAlertsSchema } from '@/lib/alerts/schema';
import { markAlertsRead } from '@/lib/alerts/server/alerts';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Marks the alerts of a fleet as read by the viewer.',
  access: 'units',
  params: ['usdot'],
  body: readAlertsSchema,
  handle: (context) => markAlertsRead(context, context.usdot, context.body.lastAlertId),
});
