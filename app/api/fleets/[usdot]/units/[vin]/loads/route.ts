import { readTruckLoads } from '@/lib/loads/server/truck-loads';
import { rangeSchema } from '@/lib/past/server/queries';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The loads that a unit had in a range, and from when to when.',
  access: 'units',
  params: ['usdot', 'vin'],
  query: rangeSchema,
  handle: (context) => {
    const { usdot, vin, query } = context;
    return readTruckLoads(context, usdot, vin, { fromMs: query.from, toMs: query.to });
  },
});
