import { listDeliveries } from '@/lib/alerts/server/webhooks';
import { requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The newest messages to a webhook. */
export const GET = createRoute<{ usdot: string; id: string }>(
  (context) => listDeliveries(context, requireUsdot(context.params.usdot), context.params.id),
  { access: 'fleet' },
);
