import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Withdraws an invitation; its link stops working. */
export const DELETE = createRoute<{ id: string }>(
  async ({ params, runtime, client, viewer }) =>
    runtime.accounts.userAdmin.withdraw(params.id, { viewer, address: client.address }),
  { access: 'manager' },
);
