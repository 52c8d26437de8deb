import { calendarInputSchema } from '@/lib/shares/calendars';
import { addCalendar, listCalendars } from '@/lib/shares/server/calendars';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: "The calendars of expected arrivals at a fleet's sites.",
  access: 'units',
  params: ['usdot'],
  handle: (context) => listCalendars(context, context.usdot),
});

export const POST = createRoute({
  summary: 'Makes a calendar of the arrivals that are expected at a site, and returns its id and address.',
  access: 'units',
  params: ['usdot'],
  body: calendarInputSchema,
  handle: (context) => addCalendar(context, context.usdot, context.body),
});
