import { changeLoad, readLoad, removeLoad, requireLoadId } from '@/lib/loads/server/loads';
import { requireTruck } from '@/lib/loads/server/trucks';
import { loadInputSchema } from '@/lib/loads/schema';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'A load with what happened to it.',
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => readLoad(context, context.usdot, requireLoadId(context.id)),
});

export const PUT = createRoute({
  summary: 'Changes a load to what the body says.',
  access: 'fleet',
  params: ['usdot', 'id'],
  body: loadInputSchema,
  handle: async (context) => {
    const id = requireLoadId(context.id);
    await requireTruck(context, context.usdot, context.body.unit, id);
    await changeLoad(context, context.usdot, id, context.body);
  },
});

export const DELETE = createRoute({
  summary: 'Removes a load with what happened to it.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => removeLoad(context, context.usdot, requireLoadId(context.id)),
});
