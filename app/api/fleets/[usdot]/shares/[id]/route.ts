import { shareInputSchema } from '@/lib/shares/schema';
import { changeShare, revokeShare } from '@/lib/shares/server/shares';
import { createRoute } from '@/server/route';

export const PUT = createRoute({
  summary: 'Changes what a link shows and when it ends.',
  access: 'units',
  params: ['usdot', 'id'],
  body: shareInputSchema,
  handle: (context) => changeShare(context, context.usdot, context.id, context.body),
});

export const DELETE = createRoute({
  summary: 'Revokes a link: it shows nothing any more, on every server within a second.',
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => revokeShare(context, context.usdot, context.id),
});
