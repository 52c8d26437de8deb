import { dayOf } from '@/lib/trips/days';
import { BYTES_A_FIX, EXPORT_TYPES, toExportParts, toFileName, writeExport } from '@/lib/past/export';
import { exportSchema, queryHistory, streamHistory } from '@/lib/past/server/queries';
import { readTrailPieces } from '@/lib/past/server/trail';
import { createRoute } from '@/server/route';
import { EXPECTED_BYTES_HEADER } from '@/lib/base/http/protocol';

export const GET = createRoute({
  summary: 'A trail as a file to save; the export itself is recorded first.',
  access: 'units',
  params: ['usdot', 'vin'],
  query: exportSchema,
  handle: async (context) => {
    const { usdot, vin, query, audit, client, viewer } = context;
    const { from, to, zone, format, name = vin } = query;
    const range = { fromMs: from, toMs: to };
    const count = await queryHistory(context, viewer, ({ reader }) =>
      reader.countTrail(usdot, vin, from, to),
    );
    const [first, last] = [dayOf(from, zone), dayOf(to - 1, zone)];
    await audit.record({
      ...{ by: viewer, action: 'trail.export', subject: vin, address: client.address },
      details: { usdot, format, from: first, to: last },
    });
    const body = await streamHistory(context, ({ reader }) => {
      const pieces = readTrailPieces((...piece) => reader.readTrail(usdot, vin, ...piece), range);
      return writeExport(format, { name, parts: toExportParts(pieces, range) });
    });
    return new Response(body, {
      headers: {
        'content-type': EXPORT_TYPES[format],
        'content-disposition': `attachment; filename="${toFileName(name, first, last, format)}"`,
        [EXPECTED_BYTES_HEADER]: String(count * BYTES_A_FIX[format]),
        'cache-control': 'no-store',
      },
    });
  },
});
