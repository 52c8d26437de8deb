import { dayOf } from '@/lib/trips/days';
import { toFileName } from '@/lib/past/export';
import { reportSchema, streamHistory } from '@/lib/past/server/queries';
import { readChosenUnits } from '@/lib/reports/server/chosen-units';
import { exportFleet } from '@/lib/reports/server/fleet-export';
import { createRoute } from '@/server/route';
import { EXPECTED_BYTES_HEADER } from '@/lib/base/http/protocol';

export const GET = createRoute({
  summary: 'All fixes of a fleet in a range as a file, which is sent once the export itself is recorded.',
  access: 'fleet',
  params: ['usdot'],
  query: reportSchema,
  handle: async (context) => {
    const { usdot, query, audit, client, viewer } = context;
    const { from, to, zone } = query;
    const [first, last] = [dayOf(from, zone), dayOf(to - 1, zone)];
    const { orm } = await context.database.open();
    const chosen = await readChosenUnits(orm, usdot, query);
    const record = {
      ...({ by: viewer, action: 'fleet.export', subject: usdot, address: client.address } as const),
      details: { format: 'parquet', from: first, to: last, unit: query.unit, tag: query.tag },
    };
    let size = 0;
    const onWritten = async (bytes: number): Promise<void> => {
      size = bytes;
      await audit.record(record);
    };
    const body = await streamHistory(context, ({ reader }, signal) =>
      exportFleet(reader, usdot, { fromMs: from, toMs: to, chosen }, { signal, onWritten }),
    );
    return new Response(body, {
      headers: {
        'content-type': 'application/vnd.apache.parquet',
        'content-disposition': `attachment; filename="${toFileName(`usdot-${usdot}`, first, last, 'parquet')}"`,
        [EXPECTED_BYTES_HEADER]: String(size),
        'cache-control': 'no-store',
      },
    });
  },
});
