import { facilitiesSchema, readFacilities } from '@/lib/facilities/server/facilities';
import { queryHistory } from '@/lib/past/server/queries';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary:
    'Visits, stays, arrivals against appointments and detention billed, by site or customer, with those of the fleet.',
  access: 'fleet',
  params: ['usdot'],
  query: facilitiesSchema,
  handle: (context) =>
    queryHistory(context, context.viewer, async () => {
      const { usdot, query } = context;
      const { orm, pool } = await context.database.open();
      const chosen = await readChosenUnits(orm, usdot, query);
      const { from, to, zone, by, each } = query;
      const facilities = { orm, pool, nowMs: context.clock.nowMs() };
      return readFacilities(facilities, usdot, { fromMs: from, toMs: to, zone, by, each, chosen });
    }),
});
