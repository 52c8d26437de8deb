import { queryHistory, zoneSchema } from '@/lib/past/server/queries';
import { readRecordedDays } from '@/lib/past/server/trail';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The days of a time zone in which a fleet was recorded.',
  access: 'units',
  params: ['usdot'],
  query: zoneSchema,
  handle: (context) =>
    queryHistory(context, context.viewer, ({ reader }) =>
      readRecordedDays(reader, context.usdot, context.query.zone, context.clock.nowMs()),
    ),
});
