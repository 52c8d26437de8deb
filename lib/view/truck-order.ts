import type { Fleet } from '@/lib/wire/fleet';
import { createPerIdentity } from './per-identity';
import { unitName } from './unit-name';

const LONGEST_NUMBER = 12;

/** Sorts "9" before "10" and "T-2b" before "T-10": digits weigh as numbers, letters regardless of case. */
const toNaturalKey = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\d+/g, (digits) => digits.replace(/^0+(?=\d)/, '').padStart(LONGEST_NUMBER, '0'));

// The key of the unit decides between two units that share a number.
const readNaturalKeys = createPerIdentity(
  (identity) => `${toNaturalKey(unitName(identity))}\n${identity.key}`,
);

/** Rows in the order of their truck numbers, and each row's place in it (-1 for a row without a unit). */
export interface TruckOrder {
  rows: readonly number[];
  rankOf: Int32Array;
}

const held = new WeakMap<Fleet['identities'], TruckOrder>();

/** Merges two lists of rows that are both in order. */
const merge = (
  a: readonly number[],
  b: readonly number[],
  isBefore: (x: number, y: number) => boolean,
): number[] => {
  const merged: number[] = [];
  let i = 0;
  for (const row of b) {
    while (i < a.length && isBefore(a[i]!, row)) merged.push(a[i++]!);
    merged.push(row);
  }
  while (i < a.length) merged.push(a[i++]!);
  return merged;
};

/**
 * The fleet's rows by truck number, as a person counts. Kept for as long as nobody is renamed; a unit that
 * joins is merged in, so that only the first call sorts a whole fleet.
 */
export const readTruckOrder = (fleet: Fleet): TruckOrder => {
  const { of: keys, changed } = readNaturalKeys(fleet);
  const before = held.get(fleet.identities);
  if (before && changed.length === 0) return before;
  const moved = new Set(changed);
  const stayed = (before?.rows ?? []).filter((row) => !moved.has(row));
  const isBefore = (x: number, y: number) => keys[x]! < keys[y]!;
  const joined = changed.filter((row) => keys[row] != null).sort((x, y) => (isBefore(x, y) ? -1 : 1));
  const rows = merge(stayed, joined, isBefore);
  const rankOf = new Int32Array(fleet.rows).fill(-1);
  rows.forEach((row, rank) => {
    rankOf[row] = rank;
  });
  const order = { rows, rankOf };
  held.set(fleet.identities, order);
  return order;
};
