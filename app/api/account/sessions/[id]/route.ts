import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Ends one of the viewer's own sessions. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, client, params }) => runtime.accounts.own.endSession(params.id, client),
  { access: 'account' },
);
