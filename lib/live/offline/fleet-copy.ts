import { MOTION_COLUMNS, STATE_COLUMNS, type Column, type Fleet } from '@/lib/wire/fleet';
import { applyLiveAnswer, toGaps, type LiveChange, type LiveAnswer } from '@/lib/wire/live';
import { fromLiveBytes, toLiveBytes } from '@/lib/wire/live-bytes';
import { nextTask } from '../live-reader';

/** Encoding or decoding this many units takes a few milliseconds, less than a frame. */
const PART_ROWS = 500;

const toChange = (
  { columns }: Fleet,
  names: readonly Column[],
  rows: ArrayLike<number>,
  [start, end]: readonly [number, number],
): LiveChange => ({ rows, by: names.map((name) => columns[name].subarray(start, end)) });

/** The rows from `start` on as a live answer that follows from the answers of the rows before them. */
const toPart = (fleet: Fleet, start: number): LiveAnswer => {
  const end = Math.min(start + PART_ROWS, fleet.rows);
  const versionAt = (row: number): string => (row >= fleet.rows ? fleet.version : `${fleet.version}/${row}`);
  const rows = Array.from({ length: end - start }, (_, i) => start + i);
  const units = rows.flatMap((row) => fleet.identities[row] ?? []);
  const gaps = toGaps(rows);
  return {
    usdot: fleet.usdot,
    version: versionAt(end),
    since: start === 0 ? null : versionAt(start),
    nowMs: 0,
    nextPollMs: 0,
    rows: end,
    named: { rows: toGaps(rows.filter((row) => fleet.identities[row] != null)), identities: units },
    removed: [],
    motion: toChange(fleet, MOTION_COLUMNS, gaps, [start, end]),
    state: toChange(fleet, STATE_COLUMNS, gaps, [start, end]),
    feed: fleet.feed,
    account: fleet.account,
  };
};

/** A fleet as live answers in bytes, each made in a task of its own, so that a large one does not stop the screen. */
export const toParts = async (fleet: Fleet): Promise<Uint8Array<ArrayBuffer>[]> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let row = 0; row === 0 || row < fleet.rows; row += PART_ROWS) {
    if (row > 0) await nextTask();
    parts.push(toLiveBytes(toPart(fleet, row)) as Uint8Array<ArrayBuffer>);
  }
  return parts;
};

/** The fleet of a series of parts. @throws RangeError, SyntaxError or ZodError where they are not what was written */
export const fromParts = async (parts: readonly Uint8Array[]): Promise<Fleet> => {
  let fleet: Fleet | null = null;
  for (const part of parts) {
    if (fleet !== null) await nextTask();
    fleet = applyLiveAnswer(fleet, fromLiveBytes(part));
  }
  if (fleet === null) throw new RangeError('A copy without any part.');
  return fleet;
};
