import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';
import { readServerStatus } from '@/lib/status/server/server-status';

export const dynamic = 'force-dynamic';

export const GET = createRoute(
  async ({ runtime, viewer }) => toJsonResponse(readServerStatus(runtime, viewer)),
  { access: 'manager' },
);
