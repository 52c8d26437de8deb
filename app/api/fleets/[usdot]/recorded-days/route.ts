import { queryHistory, zoneSchema } from '@/lib/past/server/queries';
import { readRecordedDays } from '@/lib/past/server/trail';
import { readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The days of a time zone in which a fleet was recorded. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { zone } = readQuery(request, zoneSchema);
    return queryHistory(runtime, viewer, ({ reader }) =>
      readRecordedDays(reader, usdot, zone, runtime.clock.nowMs()),
    );
  },
  { access: 'units' },
);
