import { alertsQuerySchema } from '@/lib/alerts/schema';
import { listAlerts } from '@/lib/alerts/server/alerts';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: "A page of a fleet's alerts, newest first.",
  access: 'units',
  params: ['usdot'],
  query: alertsQuerySchema,
  handle: (context) => listAlerts(context, context.usdot, context.query),
});
