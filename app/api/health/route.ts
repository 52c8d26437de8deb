import { readHealth } from '@/lib/runtime/health';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async ({ request, runtime }) => toJsonResponse(request, readHealth(runtime)), {
  access: 'anyone',
});
