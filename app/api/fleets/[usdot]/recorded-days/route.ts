import { queryHistory, zoneSchema } from '@/lib/history/server/queries';
import { readRecordedDays } from '@/lib/history/server/trail';
import { readQuery, requireUsdot } from '@/lib/http/input';
import { createRoute } from '@/lib/http/route';

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
