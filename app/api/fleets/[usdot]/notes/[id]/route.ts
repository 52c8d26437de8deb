import { createRoute } from '@/server/route';
import { removeNote } from '@/lib/notes/server/notes';

export const DELETE = createRoute({
  summary: 'Removes a note of any author.',
  access: 'units',
  params: ['usdot', 'id'],
  handle: (context) => removeNote(context, context.usdot, context.id),
});
