import { reportSchema, streamHistory } from '@/lib/past/server/queries';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The days of each unit of a fleet, as lines of JSON that come as the days are done.',
  access: 'fleet',
  params: ['usdot'],
  query: reportSchema,
  handle: async (context) => {
    const { from, to, zone } = context.query;
    const { orm } = await context.database.open();
    const chosen = await readChosenUnits(orm, context.usdot, context.query);
    const range = { fromMs: from, toMs: to, zone, chosen };
    const lines = await streamHistory(context, async function* ({ reports }, signal) {
      for await (const line of reports.read(context.usdot, range, signal)) yield `${JSON.stringify(line)}\n`;
    });
    return new Response(lines, {
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    });
  },
});
