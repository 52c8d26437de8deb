import type { UnitNote } from '@/lib/view/marks';
import { list, nullable, number, object, text, type Shape } from '@/lib/base/shape';

export const LONGEST_NOTE = 300;

/** POST /api/fleets/:usdot/notes; Unix ms, null: it stays until it is removed. */
export type NoteInput = Pick<UnitNote, 'unit' | 'text' | 'expiresMs'>;

/** The answer to a note that was added. */
export const noteSchema: Shape<UnitNote> = object({
  id: number,
  unit: text,
  text,
  author: text,
  createdMs: number,
  expiresMs: nullable(number),
});

/** GET /api/fleets/:usdot/notes: those that have not expired, newest first. */
export const notesSchema = object({ notes: list(noteSchema) });
