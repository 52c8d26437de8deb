import type { RecordedHours } from '@/lib/past/schema';
import { queryHistory, rangeSchema } from '@/lib/past/server/queries';
import { readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** When a fleet was recorded, and how many of its units had each status. */
export const GET = createRoute<{ usdot: string }>(
  async ({ request, params, runtime, viewer }): Promise<RecordedHours> => {
    const usdot = requireUsdot(params.usdot);
    const { from, to } = readQuery(request, rangeSchema);
    return queryHistory(runtime, viewer, async ({ reader }) => {
      const [coverage, counts] = await Promise.all([
        reader.readCoverage(usdot, from, to),
        reader.readCounts(usdot, from, to),
      ]);
      return { coverage, counts };
    });
  },
  { access: 'fleet' },
);
