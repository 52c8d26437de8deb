import { createRoute } from '@/server/route';
import { addNote, listNotes, noteInputSchema } from '@/lib/notes/server/notes';

export const GET = createRoute({
  summary: 'The notes on units of a fleet that have not expired.',
  access: 'units',
  params: ['usdot'],
  handle: async ({ usdot, viewer, database, clock }) => {
    const { orm } = await database.open();
    return { notes: await listNotes(orm, usdot, viewer, clock.nowMs()) };
  },
});

export const POST = createRoute({
  summary: 'Writes a note on a unit.',
  access: 'units',
  params: ['usdot'],
  body: noteInputSchema,
  handle: (context) => addNote(context, context.usdot, context.body),
});
