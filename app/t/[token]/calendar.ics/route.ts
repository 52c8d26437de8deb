import { answerCalendar } from '@/lib/shares/server/calendar-answer';
import { createHeadRoute } from '@/server/route';

/** Answered without Next.js, as the page of a link is. */
export const GET = createHeadRoute({
  summary: 'The arrivals that are expected at a site, as iCalendar, for people without an account.',
  access: 'token',
  params: ['token'],
  handle: (context) => {
    const { request, token, client } = context;
    return answerCalendar(context, request, { token, address: client.address });
  },
});
