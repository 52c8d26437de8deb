import { webhookInputSchema } from '@/lib/alerts/schema';
import { addWebhook, listWebhooks } from '@/lib/alerts/server/webhooks';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** The webhooks of a fleet, for its managers. */
export const GET = createRoute<{ usdot: string }>(
  (context) => listWebhooks(context, requireUsdot(context.params.usdot)),
  { access: 'fleet' },
);

/** Adds a webhook and returns it with its secret, once. */
export const POST = createRoute<{ usdot: string }>(
  async (context) => {
    const input = await readInput(context.request, webhookInputSchema);
    return addWebhook(context, requireUsdot(context.params.usdot), input);
  },
  { access: 'fleet' },
);
