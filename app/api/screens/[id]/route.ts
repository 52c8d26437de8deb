import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Makes the link of a wall screen open nothing any more, and the screen that it opened go dark. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, viewer, client, params }) => {
    await runtime.accounts.screens.revoke(params.id, viewer, client);
    return toNoContent();
  },
  { access: 'manager' },
);
