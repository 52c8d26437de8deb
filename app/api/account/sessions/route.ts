import { toNoContent } from '@/lib/runtime/no-content';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

/** Signs who asks out everywhere, here as well. */
export const DELETE = createRoute(
  async ({ runtime, asker }) => {
    await runtime.accounts.own.endAllSessions(asker);
    return toNoContent();
  },
  { access: 'account' },
);
