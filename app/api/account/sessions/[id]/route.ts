import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Ends one session of who asks. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, asker, params }) => {
    await runtime.accounts.own.endSession(params.id, asker);
    return toNoContent();
  },
  { access: 'account' },
);
