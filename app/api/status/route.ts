import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';
import { readServerStatus } from '@/lib/runtime/server-status';

export const dynamic = 'force-dynamic';

export const GET = createRoute(
  async ({ request, runtime, viewer }) => toJsonResponse(request, readServerStatus(runtime, viewer)),
  { access: 'manager' },
);
