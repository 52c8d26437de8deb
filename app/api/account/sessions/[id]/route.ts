import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Ends one session of who asks. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, client, params }) => {
    await runtime.accounts.own.endSession(params.id, client);
    return toNoContent();
  },
  { access: 'account' },
);
