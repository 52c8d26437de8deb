import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Creates a password reset link for a user. */
export const POST = createRoute<{ id: string }>(
  async ({ params, runtime, client, viewer }) => {
    const by = { viewer, address: client.address };
    return runtime.accounts.userAdmin.makeReset(params.id, by);
  },
  { access: 'manager' },
);
