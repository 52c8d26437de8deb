import { endedSubscriptionSchema, pushSubscriptionSchema } from '@/lib/alerts/schema';
import { subscribeBrowser, unsubscribeBrowser } from '@/lib/alerts/server/account';
import { readInput } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Subscribes the viewer's browser to messages about alerts. */
export const POST = createRoute(
  async (context) => subscribeBrowser(context, await readInput(context.request, pushSubscriptionSchema)),
  { access: 'viewer' },
);

/** Ends the subscription of the browser with this endpoint. */
export const DELETE = createRoute(
  async (context) => {
    const { endpoint } = await readInput(context.request, endedSubscriptionSchema);
    await unsubscribeBrowser(context, endpoint);
  },
  { access: 'viewer' },
);
