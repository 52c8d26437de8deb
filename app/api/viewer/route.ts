import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Who asks, and what they may see. */
export const GET = createRoute(async ({ request, viewer }) => toJsonResponse(request, viewer), {
  access: 'viewer',
});
