import { createRoute } from '@/server/route';
import { listOpenAlerts } from '@/lib/wall-screens/server/open-alerts';

export const GET = createRoute({
  summary:
    "The open alerts of a fleet's rules, as a wall screen shows them: without notes and names of people.",
  access: 'map',
  params: ['usdot'],
  handle: (context) => listOpenAlerts(context, context.usdot),
});
