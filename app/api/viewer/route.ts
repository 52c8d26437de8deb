import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Who asks, and what they may see. */
export const GET = createRoute(async ({ viewer }) => toJsonResponse(viewer), {
  access: 'viewer',
});
