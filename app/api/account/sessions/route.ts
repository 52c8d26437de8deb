import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Signs who asks out everywhere, here as well. */
export const DELETE = createRoute(
  async ({ runtime, client }) => {
    await runtime.accounts.own.endAllSessions(client);
    return toNoContent();
  },
  { access: 'account' },
);
