import { qualitySchema } from '@/lib/data-quality/server/query';
import { readQualityNames } from '@/lib/data-quality/server/names';
import { streamHistory } from '@/lib/past/server/queries';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary:
    'The quality of the data of a fleet by provider, device type, tag or truck, as lines of JSON: how far it is, and the figures in the last line.',
  access: 'fleet',
  params: ['usdot'],
  query: qualitySchema,
  handle: async (context) => {
    const { from, to, zone, by, each } = context.query;
    const { orm } = await context.database.open();
    const chosen = await readChosenUnits(orm, context.usdot, context.query);
    const names = await readQualityNames(orm, context.usdot);
    const query = { fromMs: from, toMs: to, zone, by, each, chosen };
    const lines = await streamHistory(context, async function* ({ quality }, signal) {
      for await (const line of quality.read(context.usdot, query, names, signal))
        yield `${JSON.stringify(line)}\n`;
    });
    return new Response(lines, {
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    });
  },
});
