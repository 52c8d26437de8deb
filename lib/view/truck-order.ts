import type { Fleet } from '@/lib/wire/fleet';
import { createPerIdentity } from './rows';
import { unitName } from './unit-name';

const LONGEST_NUMBER = 12;

/** Sorts "9" before "10" and "T-2b" before "T-10": digits by numeric value, letters regardless of case. */
const toNaturalKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(LONGEST_NUMBER, '0'));

// The unit's key orders two units that share a number.
const readNaturalKeys = createPerIdentity(
  (identity) => `${toNaturalKey(unitName(identity))}\n${identity.key}`,
);

/** Rows in the order of their truck numbers, and each row's rank (-1 for a row without a unit). */
export interface TruckOrder {
  rows: Int32Array;
  rankOf: Int32Array;
}

const held = new WeakMap<Fleet['identities'], TruckOrder>();
/** The order of the last call; comparing natural keys with it shows what changed. */
let latest: TruckOrder = { rows: new Int32Array(0), rankOf: new Int32Array(0) };

/** Merges two sorted lists of rows. */
const merge = (
  a: Int32Array,
  b: readonly number[],
  isBefore: (x: number, y: number) => boolean,
): Int32Array => {
  const merged = new Int32Array(a.length + b.length);
  let i = 0;
  let count = 0;
  for (const row of b) {
    while (i < a.length && isBefore(a[i]!, row)) merged[count++] = a[i++]!;
    merged[count++] = row;
  }
  merged.set(a.subarray(i), count);
  return merged;
};

/**
 * The fleet's rows by truck number in natural order. Cached until a unit is renamed; a unit that joins is
 * merged in, so that only the first call sorts a whole fleet.
 */
export const readTruckOrder = (fleet: Fleet): TruckOrder => {
  const { of: keys, changed } = readNaturalKeys(fleet);
  const known = held.get(fleet.identities);
  if (known) return (latest = known);
  const moved = new Set(changed);
  const stayed = latest.rows.filter((row) => row < fleet.rows && !moved.has(row));
  const isBefore = (x: number, y: number) => keys[x]! < keys[y]!;
  const joined = changed.filter((row) => keys[row] != null).sort((x, y) => (isBefore(x, y) ? -1 : 1));
  const rows = merge(stayed, joined, isBefore);
  const rankOf = new Int32Array(fleet.rows).fill(-1);
  rows.forEach((row, rank) => {
    rankOf[row] = rank;
  });
  latest = { rows, rankOf };
  held.set(fleet.identities, latest);
  return latest;
};
