import { toJsonResponse } from '@/lib/runtime/json-response';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

/** How who asks signs in, and where they are signed in. */
export const GET = createRoute(
  async ({ request, runtime, asker }) => toJsonResponse(request, await runtime.accounts.own.read(asker)),
  { access: 'account' },
);
