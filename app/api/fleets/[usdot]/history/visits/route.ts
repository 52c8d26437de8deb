import { queryHistory } from '@/lib/past/server/queries';
import { readVisits, visitsQuerySchema } from '@/lib/reports/server/who-was-here';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The units of a fleet that were in an area within a range of time.',
  access: 'fleet',
  params: ['usdot'],
  query: visitsQuerySchema,
  handle: (context) => {
    const { area, from, to } = context.query;
    return queryHistory(context, context.viewer, ({ reader }) =>
      readVisits(reader, context.usdot, area, { fromMs: from, toMs: to }, context.clock.nowMs()),
    );
  },
});
