import { changeSource } from '@/lib/fleet-source/server/change-source';
import { sourceChangeSchema } from '@/lib/fleet-source/schema';
import { createRoute } from '@/server/route';

export const PUT = createRoute({
  summary: 'Chooses where the fleets come from.',
  access: 'manager',
  body: sourceChangeSchema,
  handle: (context) => changeSource(context, context.body),
});
