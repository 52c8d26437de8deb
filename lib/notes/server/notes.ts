import 'server-only';
import { and, between, count, desc, eq, gt, isNull, or } from 'drizzle-orm';
import { z } from 'zod';
import { isVisible } from '@/lib/base/zod';
import { change, type ActionContext } from '@/lib/audit/audit';
import type { Viewer } from '@/lib/base/viewer';
import { requireKey } from '@/lib/access/input';
import { MINUTE_MS } from '@/lib/base/time';
import { AppError } from '@/lib/base/http/problems';
import type { Executor } from '@/lib/database/database';
import { lockFleet } from '@/lib/database/fleet-lock';
import { unitNotes } from './tables';
import { isSeenUnit, requireSeenUnit } from '@/lib/access/unit-limit';
import type { UnitNote } from '@/lib/view/marks';
import { LONGEST_NOTE, type NoteInput } from '../schema';

/** Unexpired notes of a fleet: every browser that shows the fleet reads all of them. */
const MAX_NOTES = 1000;
/** A day is shown without its year. */
const LONGEST_MS = 366 * 86_400_000;
const ID_PATTERN = /^\d{1,15}$/;

export const noteInputSchema = z.strictObject({
  unit: z.string(),
  text: z
    .string()
    .transform((text) => text.trim().replace(/\s+/g, ' '))
    .pipe(
      z
        .string()
        .min(1, 'Write a note.')
        .max(LONGEST_NOTE, `A note has at most ${LONGEST_NOTE} characters.`)
        .refine(isVisible, 'A note has no invisible characters.'),
    ),
  expiresMs: z.number().int().nullable(),
});

const { id, unit, text, author, createdMs, expiresMs } = unitNotes;

const isLasting = (usdot: string, nowMs: number) =>
  and(eq(unitNotes.usdot, usdot), or(isNull(expiresMs), gt(expiresMs, nowMs)));

/** The notes on units that a viewer sees and that have not expired, newest first. */
export const listNotes = (
  orm: Executor,
  usdot: string,
  viewer: Pick<Viewer, 'tags'>,
  nowMs: number,
): Promise<UnitNote[]> =>
  orm
    .select({ id, unit, text, author, createdMs, expiresMs })
    .from(unitNotes)
    .where(and(isLasting(usdot, nowMs), isSeenUnit(viewer, usdot, unit)))
    .orderBy(desc(createdMs), desc(id));

/** Writes a note on a unit; the same note of an author within a minute is returned as it is. @throws AppError 'bad-input', 'malformed-key', 'unknown-unit', 'too-many-notes' */
export const addNote = async (context: ActionContext, usdot: string, note: NoteInput): Promise<UnitNote> => {
  const { database, viewer, clock } = context;
  const nowMs = clock.nowMs();
  requireKey(note.unit);
  const lastsMs = note.expiresMs === null ? 1 : note.expiresMs - nowMs;
  if (lastsMs <= 0 || lastsMs > LONGEST_MS) {
    const message = 'Choose a day within the next year.';
    throw new AppError('bad-input', { detail: message, faults: [{ field: 'expiresMs', message }] });
  }
  await requireSeenUnit(database, viewer, usdot, note.unit);
  return change(context, 'note.add', async (tx, record) => {
    await lockFleet(tx, usdot);
    const [same] = await tx
      .select({ id, unit, text, author, createdMs, expiresMs })
      .from(unitNotes)
      .where(
        and(
          isLasting(usdot, nowMs),
          ...[eq(unit, note.unit), eq(text, note.text), eq(author, viewer.name)],
          between(createdMs, nowMs - MINUTE_MS, nowMs),
          note.expiresMs === null
            ? isNull(expiresMs)
            : between(expiresMs, note.expiresMs - MINUTE_MS, note.expiresMs),
        ),
      );
    if (same !== undefined) return same;
    const [held] = await tx.select({ notes: count() }).from(unitNotes).where(isLasting(usdot, nowMs));
    if (held!.notes >= MAX_NOTES) throw new AppError('too-many-notes');
    const [added] = await tx
      .insert(unitNotes)
      .values({ usdot, ...note, author: viewer.name, authorId: viewer.id, createdMs: nowMs })
      .returning({ id, unit, text, author, createdMs, expiresMs });
    await record(note.unit, { usdot, note: note.text, expiresAtMs: note.expiresMs });
    return added!;
  });
};

/** Removes a note of any author. @throws AppError 'unknown-note' */
export const removeNote = (context: ActionContext, usdot: string, noteId: string): Promise<void> => {
  if (!ID_PATTERN.test(noteId)) throw new AppError('unknown-note');
  return change(context, 'note.remove', async (tx, record) => {
    const [removed] = await tx
      .delete(unitNotes)
      .where(and(eq(unitNotes.usdot, usdot), eq(id, Number(noteId)), isSeenUnit(context.viewer, usdot, unit)))
      .returning({ unit, text, author });
    if (removed === undefined) throw new AppError('unknown-note');
    await record(removed.unit, { usdot, note: removed.text, by: removed.author });
  });
};
