import { readFleetList } from '@/lib/fleets/server/fleet-list';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async ({ runtime, viewer }) => readFleetList(runtime, viewer), {
  access: 'viewer',
});
