import { testWebhook } from '@/lib/alerts/server/webhooks';
import { requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Sends a test to a webhook at once, and returns what came of it. */
export const POST = createRoute<{ usdot: string; id: string }>(
  (context) => {
    const { usdot, id } = context.params;
    return testWebhook(context, requireUsdot(usdot), id, context.request.signal);
  },
  { access: 'fleet' },
);
