import { webhookChangeSchema } from '@/lib/alerts/schema';
import { changeWebhook, removeWebhook } from '@/lib/alerts/server/webhooks';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

interface Params {
  usdot: string;
  id: string;
}

/** Changes what the body names. */
export const PATCH = createRoute<Params>(
  async (context) => {
    const { usdot, id } = context.params;
    const change = await readInput(context.request, webhookChangeSchema);
    await changeWebhook(context, requireUsdot(usdot), id, change);
  },
  { access: 'fleet' },
);

/** Removes a webhook, whose messages then fail. */
export const DELETE = createRoute<Params>(
  async (context) => removeWebhook(context, requireUsdot(context.params.usdot), context.params.id),
  { access: 'fleet' },
);
