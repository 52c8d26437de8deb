import { requireFleet } from '@/lib/access/access';
import { createRoute } from '@/server/route';

export const GET = createRoute({
  summary: 'The carrier of the first account.',
  access: 'units',
  handle: async (context) => {
    const account = await context.readAccount();
    // Its fleet is known once the carrier has been requested.
    requireFleet(context, context.viewer, account.usdot);
    return account;
  },
});
