import { readPastLoads } from '@/lib/loads/server/truck-loads';
import { rangeSchema } from '@/lib/past/server/queries';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The loads that trucks of a fleet had in a range, with what happened to them.',
  access: 'units',
  params: ['usdot'],
  query: rangeSchema,
  handle: (context) => {
    const { usdot, query } = context;
    return readPastLoads(context, usdot, { fromMs: query.from, toMs: query.to });
  },
});
