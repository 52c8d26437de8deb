import { createRoute } from '@/server/route';
import { changeView, removeView, viewChangeSchema } from '@/lib/views/server/views';

export const PATCH = createRoute({
  summary: "Changes a reader's own view.",
  access: 'units',
  params: ['usdot', 'id'],
  body: viewChangeSchema,
  handle: (context) => changeView(context, context.usdot, context.id, context.body),
});

export const DELETE = createRoute({
  summary: "Removes a reader's own view; a manager also removes one that another person shares.",
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => removeView(context, context.usdot, context.id),
});
