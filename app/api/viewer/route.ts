import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

/** Who asks, and what they may see. */
export const GET = createRoute(async ({ request, viewer }) => toJsonResponse(request, viewer), {
  access: 'viewer',
});
