import { queryHistory } from '@/lib/past/server/queries';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { readVisitReport, visitReportSchema } from '@/lib/sites/server/visit-report';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The visits to all sites of a fleet that began or ended in a range.',
  access: 'fleet',
  params: ['usdot'],
  query: visitReportSchema,
  handle: (context) => {
    const { usdot, query, clock } = context;
    return queryHistory(context, context.viewer, async ({ reader }) => {
      const { orm } = await context.database.open();
      const chosen = await readChosenUnits(orm, usdot, query);
      const range = { fromMs: query.from, toMs: query.to };
      return readVisitReport({ orm, reader, nowMs: clock.nowMs() }, usdot, range, chosen);
    });
  },
});
