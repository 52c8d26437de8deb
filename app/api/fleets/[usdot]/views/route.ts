import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { listViews, saveView, viewInputSchema } from '@/lib/views/server/views';

export const dynamic = 'force-dynamic';

/** The views of a fleet that the viewer saved or others share. */
export const GET = createRoute<{ usdot: string }>(
  async ({ params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { orm } = await runtime.accounts.open();
    return listViews(orm, usdot, viewer);
  },
  { access: 'units' },
);

export const POST = createRoute<{ usdot: string }>(
  async (context) =>
    saveView(context, requireUsdot(context.params.usdot), await readInput(context.request, viewInputSchema)),
  { access: 'units' },
);
