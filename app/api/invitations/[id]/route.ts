import { toNoContent } from '@/lib/http/no-content';
import { createRoute } from '@/lib/http/route';

export const dynamic = 'force-dynamic';

/** Withdraws an invitation; its link stops working. */
export const DELETE = createRoute<{ id: string }>(
  async ({ params, runtime, client, viewer }) => {
    await runtime.accounts.userAdmin.withdraw(params.id, { viewer, address: client.address });
    return toNoContent();
  },
  { access: 'manager' },
);
