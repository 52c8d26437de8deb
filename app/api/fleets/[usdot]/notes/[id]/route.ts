import { requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { removeNote } from '@/lib/notes/server/notes';

export const dynamic = 'force-dynamic';

export const DELETE = createRoute<{ usdot: string; id: string }>(
  async (context) => removeNote(context, requireUsdot(context.params.usdot), context.params.id),
  { access: 'units' },
);
