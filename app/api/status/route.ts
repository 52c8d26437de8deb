import { createRoute } from '@/lib/access/route';
import { readServerStatus } from '@/lib/status/server/server-status';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async ({ runtime, viewer }) => readServerStatus(runtime, viewer), {
  access: 'manager',
});
