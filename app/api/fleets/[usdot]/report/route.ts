import { reportSchema, streamHistory } from '@/lib/past/server/queries';
import { readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The days of each unit of a fleet, as lines of JSON that come as the days are done. */
export const GET = createRoute<{ usdot: string }>(
  async (context) => {
    const { request, params } = context;
    const usdot = requireUsdot(params.usdot);
    const { from, to, zone } = readQuery(request, reportSchema);
    const lines = await streamHistory(context, async function* ({ reports }, signal) {
      for await (const line of reports.read(usdot, { fromMs: from, toMs: to, zone }, signal))
        yield `${JSON.stringify(line)}\n`;
    });
    return new Response(lines, {
      headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
    });
  },
  { access: 'fleet' },
);
