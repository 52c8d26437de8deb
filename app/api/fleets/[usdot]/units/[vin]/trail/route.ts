import { rangeSchema } from '@/lib/history/server/queries';
import { readTrailAnswer } from '@/lib/history/server/trail';
import { readQuery, requireUsdot, requireVin } from '@/lib/http/input';
import { AppError } from '@/lib/http/problems';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** The recorded fixes of a unit in a range, and when its fleet was recorded. */
export const GET = createRoute<{ usdot: string; vin: string }>(
  async ({ request, params, runtime: { history, clock } }) => {
    const [usdot, vin] = [requireUsdot(params.usdot), requireVin(params.vin)];
    const { from, to } = readQuery(request, rangeSchema);
    if (history === null) throw new AppError('recording-off');
    return readTrailAnswer(history.reader, usdot, vin, { fromMs: from, toMs: to }, clock.nowMs());
  },
  { access: 'fleet' },
);
