import { readQuery, requireUsdot } from '@/lib/http/input';
import { AppError } from '@/lib/http/problems';
import { createRoute } from '@/lib/http/route';
import type { RecordedHours } from '@/lib/history/schema';
import { rangeSchema } from '@/lib/history/server/queries';

export const dynamic = 'force-dynamic';

/** When a fleet was recorded, and how many of its units moved. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime: { history } }): Promise<RecordedHours> => {
    const usdot = requireUsdot(params.usdot);
    const { from, to } = readQuery(request, rangeSchema);
    if (history === null) throw new AppError('recording-off');
    const [coverage, counts] = await Promise.all([
      history.reader.readCoverage(usdot, from, to),
      history.reader.readCounts(usdot, from, to),
    ]);
    return { coverage, counts };
  },
  { access: 'fleet' },
);
