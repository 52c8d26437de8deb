import { acknowledgeSchema } from '@/lib/alerts/schema';
import { acknowledgeAlert } from '@/lib/alerts/server/alerts';
import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';

export const dynamic = 'force-dynamic';

/** Takes an alert on, with a note, and returns it. */
export const POST = createRoute<{ usdot: string; id: string }>(
  async (context) => {
    const { usdot, id } = context.params;
    const { note } = await readInput(context.request, acknowledgeSchema);
    return acknowledgeAlert(context, requireUsdot(usdot), id, note);
  },
  { access: 'units' },
);
