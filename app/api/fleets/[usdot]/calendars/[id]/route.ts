import { calendarChangeSchema } from '@/lib/shares/calendars';
import { changeCalendar, revokeCalendar } from '@/lib/shares/server/calendars';
import { createRoute } from '@/server/route';

export const PUT = createRoute({
  summary: 'Changes whom the calendar of a site is for, its language, what it names and when it ends.',
  access: 'units',
  params: ['usdot', 'id'],
  body: calendarChangeSchema,
  handle: (context) => changeCalendar(context, context.usdot, context.id, context.body),
});

export const DELETE = createRoute({
  summary: 'Revokes the calendar of a site.',
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => revokeCalendar(context, context.usdot, context.id),
});
