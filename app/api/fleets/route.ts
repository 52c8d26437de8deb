import { readFleetList } from '@/lib/runtime/fleet-list';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute(
  async ({ request, runtime, viewer }) => toJsonResponse(request, readFleetList(runtime, viewer)),
  { access: 'viewer' },
);
