import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Ends all of the viewer's own sessions, this one included. */
export const DELETE = createRoute(
  async ({ runtime, client }) => {
    await runtime.accounts.own.endAllSessions(client);
    return toNoContent();
  },
  { access: 'account' },
);
