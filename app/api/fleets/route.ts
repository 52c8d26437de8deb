import { readFleetList } from '@/lib/fleets/server/fleet-list';
import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute(
  async ({ runtime, viewer }) => toJsonResponse(readFleetList(runtime, viewer)),
  { access: 'viewer' },
);
