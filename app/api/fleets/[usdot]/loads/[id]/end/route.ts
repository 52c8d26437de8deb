import { endLoad, requireLoadId } from '@/lib/loads/server/loads';
import { createRoute } from '@/server/route';

export const POST = createRoute({
  summary: 'Ends a load by hand.',
  access: 'fleet',
  params: ['usdot', 'id'],
  handle: (context) => endLoad(context, context.usdot, requireLoadId(context.id)),
});
