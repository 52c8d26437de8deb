import { requireFleet } from '@/lib/access/access';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The carrier of the first account; its fleet is known once the carrier has been requested. */
export const GET = createRoute(
  async ({ runtime, viewer }) => {
    const account = await runtime.readAccount();
    requireFleet(runtime, viewer, account.usdot);
    return account;
  },
  { access: 'units' },
);
