import { requireFleet } from '@/lib/http/access';
import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** The carrier of the first account, whose fleet is known once it was asked for. */
export const GET = createRoute(
  async ({ runtime, viewer }) => {
    const account = await runtime.readAccount();
    requireFleet(runtime, viewer, account.usdot);
    return toJsonResponse(account);
  },
  { access: 'fleet' },
);
