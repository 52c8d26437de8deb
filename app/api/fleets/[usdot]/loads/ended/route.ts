import { z } from 'zod';
import { listEndedLoads } from '@/lib/loads/server/loads';
import { momentSchema } from '@/lib/past/server/queries';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The loads that ended in a range, or the newest of them whose references or customer have a text.',
  access: 'units',
  params: ['usdot'],
  query: z.strictObject({ from: momentSchema, to: momentSchema, find: z.string().max(100).default('') }),
  handle: (context) => {
    const { from, to, find } = context.query;
    return listEndedLoads(context, context.usdot, { fromMs: from, toMs: to, find });
  },
});
