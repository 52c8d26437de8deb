import { createRoute } from '@/server/route';
import { chooseStart, startInputSchema } from '@/lib/views/server/views';

export const PUT = createRoute({
  summary: "Chooses the view that the viewer's start page shows.",
  access: 'units',
  params: ['usdot'],
  body: startInputSchema,
  handle: (context) => chooseStart(context, context.usdot, context.body.id),
});
