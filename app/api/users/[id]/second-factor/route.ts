import { toNoContent } from '@/lib/runtime/no-content';
import { createRoute } from '@/lib/runtime/route';

export const dynamic = 'force-dynamic';

/** Takes the second factor away from somebody who has lost theirs. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, viewer, asker, params }) => {
    await runtime.accounts.users.removeSecondFactor(params.id, viewer, asker);
    return toNoContent();
  },
  { access: 'manager' },
);
