import { readShareOpenings } from '@/lib/shares/server/shares';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The hours in which a link was opened, how often and from about how many networks.',
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => readShareOpenings(context, context.usdot, context.id),
});
