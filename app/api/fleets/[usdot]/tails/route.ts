import { encodeTails, type TailsAnswer } from '@/lib/past/schema';
import { queryHistory, tailsQuerySchema } from '@/lib/past/server/queries';
import { createRoute } from '@/server/route';
import { readSeenUnits } from '@/lib/access/unit-limit';

export const GET = createRoute({
  summary: 'Where the units in view went in the last minutes or hours.',
  access: 'units',
  params: ['usdot'],
  query: tailsQuerySchema,
  handle: async (context): Promise<TailsAnswer> => {
    const { usdot, viewer, clock, database } = context;
    const seen = await readSeenUnits(database, viewer, usdot);
    const query = { usdot, toMs: clock.nowMs(), seen, ...context.query };
    const tails = await queryHistory(context, viewer, ({ reader }) => reader.readTails(query));
    return { isTooMany: tails === null, tails: encodeTails(tails ?? new Map()) };
  },
});
