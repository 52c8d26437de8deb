import { readInput, requireUsdot } from '@/lib/access/input';
import { createRoute } from '@/lib/access/route';
import { addNote, listNotes, noteInputSchema } from '@/lib/notes/server/notes';

export const dynamic = 'force-dynamic';

/** The notes on units of a fleet that have not expired. */
export const GET = createRoute<{ usdot: string }>(
  async ({ params, runtime, viewer }) => {
    const usdot = requireUsdot(params.usdot);
    const { orm } = await runtime.accounts.open();
    return { notes: await listNotes(orm, usdot, viewer, runtime.clock.nowMs()) };
  },
  { access: 'units' },
);

/** Writes a note on a unit. */
export const POST = createRoute<{ usdot: string }>(
  async (context) =>
    addNote(context, requireUsdot(context.params.usdot), await readInput(context.request, noteInputSchema)),
  { access: 'units' },
);
