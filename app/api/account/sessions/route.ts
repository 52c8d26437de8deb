import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Signs who asks out everywhere, here as well. */
export const DELETE = createRoute(
  async ({ runtime, asker }) => {
    await runtime.accounts.own.endAllSessions(asker);
    return toNoContent();
  },
  { access: 'account' },
);
