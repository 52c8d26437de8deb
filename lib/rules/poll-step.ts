import type { FleetRows, UnitIdentity } from '@/lib/wire/fleet';
import { MINUTE_MS } from '@/lib/base/time';

/** An alert closes once its cause has been gone for this long. */
export const CLEAR_MS = 2 * MINUTE_MS;

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
  /** The keys of units that are in no row now, and were in one before the watch was read again. */
  vanished: readonly string[];
  renamed: readonly Renamed[];
}

/** A unit that has another key from a poll on, as when its VIN becomes known or is corrected: the key before, and the new one. */
export type Renamed = readonly [from: string, to: string];

const NO_UNITS: readonly UnitIdentity[] = [];

/** The keys of units that were in rows and are in none now. */
const listVanished = (left: FleetRows, rows: FleetRows, renamed: readonly Renamed[]): string[] => {
  const keys = new Map(renamed);
  const here = new Set(rows.identities.map((identity) => identity?.key));
  return left.identities
    .flatMap((identity) => (identity ? [keys.get(identity.key) ?? identity.key] : []))
    .filter((key) => !here.has(key));
};

/** `left`: the rows before the watch was read again, where there is no `before`. */
export const toPollStep = (
  before: FleetRows | null,
  rows: FleetRows,
  seenMs: number,
  renamed: readonly Renamed[] = [],
  left: FleetRows | null = null,
): PollStep => {
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
  const fromOf = new Map<number, number>();
  for (const [from, to] of renamed) {
    const rowIn = (units: typeof was, key: string) => units.findIndex((identity) => identity?.key === key);
    const [fromRow, row] = [rowIn(was, from), rowIn(is, to)];
    if (fromRow < 0 || row < 0) continue;
    // Either key may have a row of its own before and after, as a VIN on the roster has.
    if (is[fromRow]?.key === from) fromOf.set(fromRow, -1);
    fromOf.set(row, fromRow);
    rowOf.delete(from);
  }
  for (const row of moved) {
    if (fromOf.has(row)) continue;
    const key = is[row]?.key ?? '';
    fromOf.set(row, rowOf.get(key) ?? -1);
    rowOf.delete(key);
  }
  const [movedTo, movedFrom] = [[...fromOf.keys()], [...fromOf.values()]];
  const vanished = left === null ? [] : listVanished(left, rows, renamed);
  return { rows, before, seenMs, moved: movedTo, movedFrom, gone: [...rowOf.values()], vanished, renamed };
};
