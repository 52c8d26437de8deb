import type { FleetRows, UnitIdentity } from '@/lib/wire/fleet';

/** One poll of a fleet, and how its units went to other rows since the poll before it. */
export interface PollStep {
  rows: FleetRows;
  /** Null at the first poll. */
  before: FleetRows | null;
  /** When the answer came, Unix ms. */
  seenMs: number;
  /** Rows that have another unit than before, or none any more. */
  moved: readonly number[];
  /** For each of them the row in which its unit was before; -1: it was in none. */
  movedFrom: readonly number[];
  /** Rows before, of units that are in no row now. */
  gone: readonly number[];
}

const NO_UNITS: readonly UnitIdentity[] = [];

export const toPollStep = (before: FleetRows | null, rows: FleetRows, seenMs: number): PollStep => {
  const [was, is] = [before?.identities ?? NO_UNITS, rows.identities];
  const moved: number[] = [];
  const rowOf = new Map<string, number>();
  for (let row = 0; row < Math.max(was.length, is.length); row++) {
    const [a, b] = [was[row], is[row]];
    // Nearly all are the same object.
    if (a === b || a?.key === b?.key) continue;
    moved.push(row);
    if (a) rowOf.set(a.key, row);
  }
  const movedFrom = moved.map((row) => {
    const key = is[row]?.key;
    const from = key === undefined ? -1 : (rowOf.get(key) ?? -1);
    if (key !== undefined) rowOf.delete(key);
    return from;
  });
  return { rows, before, seenMs, moved, movedFrom, gone: [...rowOf.values()] };
};
