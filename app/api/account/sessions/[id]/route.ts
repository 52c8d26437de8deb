import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Ends one of the viewer's own sessions. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, client, params }) => {
    await runtime.accounts.own.endSession(params.id, client);
    return toNoContent();
  },
  { access: 'account' },
);
