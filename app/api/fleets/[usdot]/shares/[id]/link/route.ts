import { readShareLink } from '@/lib/shares/server/shares';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The address of a link, to be copied again.',
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => readShareLink(context, context.usdot, context.id),
});
