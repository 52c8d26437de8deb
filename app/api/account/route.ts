import { toJsonResponse } from '@/lib/http/json-response';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** How who asks signs in, and where they are signed in. */
export const GET = createRoute(
  async ({ runtime, client }) => toJsonResponse(await runtime.accounts.own.read(client)),
  { access: 'account' },
);
