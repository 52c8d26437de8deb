import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { chooseStart, startInputSchema } from '@/lib/views/server/views';

export const dynamic = 'force-dynamic';

/** Chooses the view that the viewer's start page shows. */
export const PUT = createRoute<{ usdot: string }>(
  async (context) => {
    const usdot = requireUsdot(context.params.usdot);
    const { id } = await readInput(context.request, startInputSchema);
    await chooseStart(context, usdot, id);
  },
  { access: 'units' },
);
