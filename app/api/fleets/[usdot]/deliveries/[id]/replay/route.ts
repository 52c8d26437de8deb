import { replayDelivery } from '@/lib/alerts/server/webhooks';
import { requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Sends a message to its webhook again, under its id. */
export const POST = createRoute<{ usdot: string; id: string }>(
  async (context) => replayDelivery(context, requireUsdot(context.params.usdot), context.params.id),
  { access: 'fleet' },
);
