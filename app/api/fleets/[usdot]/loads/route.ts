import { z } from 'zod';
import { PRIVATE_ANSWER } from '@/lib/base/http/headers';
import { readLoadList } from '@/lib/loads/server/load-lists';
import { addLoad } from '@/lib/loads/server/loads';
import { requireTruck } from '@/lib/loads/server/trucks';
import { loadInputSchema } from '@/lib/loads/schema';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary:
    'The loads of a fleet that are under way, and those that ended within the last week; `since`: those that changed since a version.',
  access: 'units',
  params: ['usdot'],
  query: z.strictObject({ since: z.string().max(100).optional() }),
  handle: async (context) =>
    new Response(await readLoadList(context, context.usdot, context.query.since), {
      headers: { 'content-type': 'application/json', 'cache-control': PRIVATE_ANSWER },
    }),
});

export const POST = createRoute({
  summary: 'Adds a load and returns its id.',
  access: 'fleet',
  params: ['usdot'],
  body: loadInputSchema,
  handle: async (context) => {
    await requireTruck(context, context.usdot, context.body.unit);
    return addLoad(context, context.usdot, context.body);
  },
});
