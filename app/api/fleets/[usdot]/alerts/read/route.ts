import { readAlertsSchema } from '@/lib/alerts/schema';
import { markAlertsRead } from '@/lib/alerts/server/alerts';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Marks the alerts of a fleet as read by the viewer. */
export const POST = createRoute<{ usdot: string }>(
  async (context) => {
    const { lastAlertId } = await readInput(context.request, readAlertsSchema);
    await markAlertsRead(context, requireUsdot(context.params.usdot), lastAlertId);
  },
  { access: 'units' },
);
