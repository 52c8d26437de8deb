import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Revokes a wall screen: its link stops working, and its screen goes dark. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, viewer, client, params }) => runtime.accounts.screens.revoke(params.id, viewer, client),
  { access: 'manager' },
);
