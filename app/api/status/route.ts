import { createRoute } from '@/server/route';
import { readServerStatus } from '@/lib/status/server/server-status';

export const GET = createRoute({
  summary: 'Health of the server and its dependencies, with the fleets that the manager may see.',
  access: 'manager',
  handle: (context) => readServerStatus(context, context.viewer),
});
