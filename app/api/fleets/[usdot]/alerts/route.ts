import { alertsQuerySchema } from '@/lib/alerts/schema';
import { listAlerts } from '@/lib/alerts/server/alerts';
import { readQuery, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** A page of a fleet's alerts, newest first. */
export const GET = createRoute<{ usdot: string }>(
  async (context) =>
    listAlerts(context, requireUsdot(context.params.usdot), readQuery(context.request, alertsQuerySchema)),
  { access: 'units' },
);
