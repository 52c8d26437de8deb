import { listRefusals } from '@/lib/devices/server/devices';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Refused reports of the carrier that `usdot` names in the query. */
export const GET = createRoute(
  async (context) => listRefusals(context, new URL(context.request.url).searchParams.get('usdot')),
  { access: 'manager' },
);
