import { queryHistory, rangeSchema } from '@/lib/past/server/queries';
import { readTrailAnswer } from '@/lib/past/server/trail';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The recorded fixes of a unit in a range, and when its fleet was recorded.',
  access: 'units',
  params: ['usdot', 'vin'],
  query: rangeSchema,
  handle: (context) => {
    const { usdot, vin, viewer, clock } = context;
    const range = { fromMs: context.query.from, toMs: context.query.to };
    return queryHistory(context, viewer, ({ reader }) =>
      readTrailAnswer(reader, usdot, vin, range, clock.nowMs()),
    );
  },
});
