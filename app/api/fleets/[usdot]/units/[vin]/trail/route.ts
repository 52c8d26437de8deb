import { queryHistory, rangeSchema } from '@/lib/past/server/queries';
import { readTrailAnswer } from '@/lib/past/server/trail';
import { readQuery, requireUsdot, requireVin } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The recorded fixes of a unit in a range, and when its fleet was recorded. */
export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ request, params, runtime, viewer }) => {
    const [usdot, vin] = [requireUsdot(params.usdot), requireVin(params.vin)];
    const { from, to } = readQuery(request, rangeSchema);
    return queryHistory(runtime, viewer, ({ reader }) =>
      readTrailAnswer(reader, usdot, vin, { fromMs: from, toMs: to }, runtime.clock.nowMs()),
    );
  },
  { access: 'units' },
);
