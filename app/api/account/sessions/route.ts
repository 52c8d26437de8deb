import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Ends all of the viewer's own sessions, this one included. */
export const DELETE = createRoute(
  async ({ runtime, client }) => runtime.accounts.own.endAllSessions(client),
  { access: 'account' },
);
