import { readFleetList } from '@/lib/fleets/server/fleet-list';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The fleets that the viewer may see.',
  access: 'viewer',
  handle: (context) => readFleetList(context, context.viewer),
});
