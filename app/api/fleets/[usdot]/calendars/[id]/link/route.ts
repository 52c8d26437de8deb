import { readCalendarLink } from '@/lib/shares/server/calendars';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: "The address of a site's calendar, to be copied again.",
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => readCalendarLink(context, context.usdot, context.id),
});
