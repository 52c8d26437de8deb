import type { RecordedHours } from '@/lib/past/schema';
import { queryHistory, rangeSchema } from '@/lib/past/server/queries';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'When a fleet was recorded, and how many of its units had each status.',
  access: 'fleet',
  params: ['usdot'],
  query: rangeSchema,
  handle: (context): Promise<RecordedHours> => {
    const { usdot, viewer, query } = context;
    return queryHistory(context, viewer, async ({ reader }) => {
      const [coverage, counts] = await Promise.all([
        reader.readCoverage(usdot, query.from, query.to),
        reader.readCounts(usdot, query.from, query.to),
      ]);
      return { coverage, counts };
    });
  },
});
