import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { changeView, removeView, viewChangeSchema } from '@/lib/views/server/views';

export const dynamic = 'force-dynamic';

interface Params {
  usdot: string;
  id: string;
}

export const PATCH = createRoute<Params>(
  async (context) => {
    const { usdot, id } = context.params;
    await changeView(context, requireUsdot(usdot), id, await readInput(context.request, viewChangeSchema));
  },
  { access: 'units' },
);

export const DELETE = createRoute<Params>(
  async (context) => removeView(context, requireUsdot(context.params.usdot), context.params.id),
  { access: 'units' },
);
