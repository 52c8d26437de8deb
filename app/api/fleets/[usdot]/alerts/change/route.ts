import { alertsChangeSchema } from '@/lib/alerts/schema';
import { changeAlerts } from '@/lib/alerts/server/alerts';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Acknowledges, notes or closes alerts together; returns how many were changed.',
  access: 'units',
  params: ['usdot'],
  body: alertsChangeSchema,
  handle: (context) => changeAlerts(context, context.usdot, context.body),
});
