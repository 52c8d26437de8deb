import { dayOf } from '@/lib/history/day/days';
import { EXPORT_TYPES, toExportSegments, toFileName, writeExport } from '@/lib/history/day/export';
import { exportSchema, queryHistory } from '@/lib/history/server/queries';
import { readTrailFixes, streamText } from '@/lib/history/server/trail';
import { readQuery, requireUsdot, requireVin } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** A trail as a file to save; the export itself is recorded first. */
export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ request, params, runtime, client, viewer }) => {
    const [usdot, vin] = [requireUsdot(params.usdot), requireVin(params.vin)];
    const { from, to, zone, format, name = vin } = readQuery(request, exportSchema);
    const range = { fromMs: from, toMs: to };
    const fixes = await queryHistory(runtime, viewer, ({ reader }) =>
      readTrailFixes(reader, usdot, vin, range),
    );
    const [first, last] = [dayOf(from, zone), dayOf(to - 1, zone)];
    await runtime.accounts.audit.record({
      ...{ by: viewer, action: 'trail.export', subject: vin, address: client.address },
      details: { usdot, format, from: first, to: last },
    });
    const segments = toExportSegments(fixes, range);
    return new Response(streamText(writeExport(format, { name, segments })), {
      headers: {
        'content-type': EXPORT_TYPES[format],
        'content-disposition': `attachment; filename="${toFileName(name, first, last, format)}"`,
        'cache-control': 'no-store',
      },
    });
  },
  { access: 'fleet' },
);
