import { readHealth } from '@/lib/ops/health';
import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute(async ({ runtime }) => toJsonResponse(readHealth(runtime)), {
  access: 'anyone',
});
