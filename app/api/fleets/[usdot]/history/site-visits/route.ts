import { queryHistory } from '@/lib/past/server/queries';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { readVisitReport, visitReportSchema } from '@/lib/sites/server/visit-report';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The visits to all sites of a fleet that touch a range.',
  access: 'fleet',
  params: ['usdot'],
  query: visitReportSchema,
  handle: (context) =>
    queryHistory(context, context.viewer, async ({ reader }) => {
      const { usdot, query } = context;
      const { orm } = await context.database.open();
      const chosen = await readChosenUnits(orm, usdot, query);
      const range = { fromMs: query.from, toMs: query.to };
      return readVisitReport({ orm, reader, nowMs: context.clock.nowMs() }, usdot, range, chosen);
    }),
});
