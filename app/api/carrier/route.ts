import { requireFleet } from '@/lib/runtime/access';
import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

export const GET = createRoute(
  async ({ request, runtime, viewer }) => {
    const account = await runtime.readAccount();
    requireFleet(runtime, viewer, account.usdot);
    return toJsonResponse(request, account);
  },
  { access: 'viewer' },
);
