import { acknowledgeSchema } from '@/lib/alerts/schema';
import { acknowledgeAlert } from '@/lib/alerts/server/alerts';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Acknowledges an alert, with a note, and returns it.',
  access: 'units',
  params: ['usdot', 'id'],
  body: acknowledgeSchema,
  handle: (context) => acknowledgeAlert(context, context.usdot, context.id, context.body.note),
});
