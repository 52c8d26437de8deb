import { queryHistory } from '@/lib/past/server/queries';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { readVisits, visitsQuerySchema } from '@/lib/reports/server/who-was-here';
import { requireSiteArea } from '@/lib/sites/server/visit-report';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The units of a fleet that were in an area, or at a site, within a range of time.',
  access: 'fleet',
  params: ['usdot'],
  query: visitsQuerySchema,
  handle: (context) => {
    const { usdot, query } = context;
    const { area, site, from, to } = query;
    return queryHistory(context, context.viewer, async ({ reader }) => {
      const { orm } = await context.database.open();
      const region = area ?? (await requireSiteArea(orm, usdot, site!));
      const chosen = await readChosenUnits(orm, usdot, query);
      return readVisits(reader, usdot, region, { fromMs: from, toMs: to }, context.clock.nowMs(), chosen);
    });
  },
});
