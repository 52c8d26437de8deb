import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Removes the second factor of a user who has lost it. */
export const DELETE = createRoute<{ id: string }>(
  async ({ runtime, viewer, client, params }) =>
    runtime.accounts.userAdmin.removeSecondFactor(params.id, { viewer, address: client.address }),
  { access: 'manager' },
);
