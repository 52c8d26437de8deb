import { createRoute } from '@/server/route';
import { listViews, saveView, viewInputSchema } from '@/lib/views/server/views';

export const GET = createRoute({
  summary: 'The views of a fleet that the viewer saved or others share.',
  access: 'units',
  params: ['usdot'],
  handle: async ({ usdot, viewer, database }) => listViews((await database.open()).orm, usdot, viewer),
});

export const POST = createRoute({
  summary: 'Saves a view under a name.',
  access: 'units',
  params: ['usdot'],
  body: viewInputSchema,
  handle: (context) => saveView(context, context.usdot, context.body),
});
