import { dayOf } from '@/lib/history/day/days';
import { toFileName } from '@/lib/history/day/export';
import { queryHistory, reportSchema } from '@/lib/history/server/queries';
import { exportFleet } from '@/lib/history/server/reports/fleet-export';
import { readQuery, requireUsdot } from '@/lib/http/input';
import { AppError } from '@/lib/http/problems';
import { createRoute } from '@/lib/http/route';
import { EXPECTED_BYTES_HEADER } from '@/lib/wire/http';

export const dynamic = 'force-dynamic';

/** All fixes of a fleet in a range as a file to save, which is sent once the export itself is recorded. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, client, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { from, to, zone } = readQuery(request, reportSchema);
    const file = await queryHistory(runtime, viewer, ({ reader }) =>
      exportFleet(reader, usdot, { fromMs: from, toMs: to }, request.signal),
    );
    if (file === null)
      throw new AppError('not-recorded', { detail: 'Nothing was recorded of this fleet on these days.' });
    const [first, last] = [dayOf(from, zone), dayOf(to - 1, zone)];
    const record = {
      ...({ by: viewer, action: 'fleet.export', subject: usdot, address: client.address } as const),
      details: { format: 'parquet', from: first, to: last },
    };
    await runtime.accounts.audit.record(record).catch(async (error: unknown) => {
      await file.stream.cancel();
      throw error;
    });
    return new Response(file.stream, {
      headers: {
        'content-type': 'application/vnd.apache.parquet',
        'content-disposition': `attachment; filename="${toFileName(`usdot-${usdot}`, first, last, 'parquet')}"`,
        [EXPECTED_BYTES_HEADER]: String(file.bytes),
        'cache-control': 'no-store',
      },
    });
  },
  { access: 'fleet' },
);
