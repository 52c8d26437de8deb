import { revokeCalendar } from '@/lib/shares/server/calendars';
import { createRoute } from '@/server/route';

export const DELETE = createRoute({
  summary: 'Revokes the calendar of a site.',
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => revokeCalendar(context, context.usdot, context.id),
});
