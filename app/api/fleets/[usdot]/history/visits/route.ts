import { queryHistory } from '@/lib/past/server/queries';
import { readVisits, visitsQuerySchema } from '@/lib/reports/server/who-was-here';
import { readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The units of a fleet that were in an area within a range of time. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { area, from, to } = readQuery(request, visitsQuerySchema);
    return queryHistory(runtime, viewer, ({ reader }) =>
      readVisits(reader, usdot, area, { fromMs: from, toMs: to }, runtime.clock.nowMs()),
    );
  },
  { access: 'fleet' },
);
