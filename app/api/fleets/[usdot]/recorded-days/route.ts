import { zoneSchema } from '@/lib/history/server/queries';
import { readRecordedDays } from '@/lib/history/server/trail';
import { readQuery, requireUsdot } from '@/lib/http/input';
import { AppError } from '@/lib/http/problems';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** The days of a time zone in which a fleet was recorded. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime: { history, clock } }) => {
    const usdot = requireUsdot(params.usdot);
    const { zone } = readQuery(request, zoneSchema);
    if (history === null) throw new AppError('recording-off');
    return readRecordedDays(history.reader, usdot, zone, clock.nowMs());
  },
  { access: 'fleet' },
);
