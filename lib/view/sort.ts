import { NOT_DERIVED } from '@/lib/wire/fleet';
import type { Columns, Fleet } from '@/lib/wire/fleet';
import { REASONS, STATUSES } from '@/lib/wire/status';
import type { Reason } from '@/lib/wire/status';
import { readTruckOrder } from './truck-order';

export const SORT_ORDERS = ['attention', 'truck', 'parked', 'newest', 'oldest', 'fastest'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const SORT_WORDS: Record<SortOrder, string> = {
  attention: 'Needs attention first',
  truck: 'Truck number',
  parked: 'Longest parked',
  newest: 'Newest fix',
  oldest: 'Oldest fix',
  fastest: 'Fastest',
};

// Rows are sorted by group, then by value; both are held in one whole number, and a value with the place in the
// order of truck numbers (20 bits) in another.
const GROUPS = 8;
const RANKS = 2 ** 20;
const VALUES = 2 ** 30;
/** Times are counted from 2020-01-01, so that 30 bits of seconds last until 2054. */
const EPOCH_S = 1_577_836_800;

const toValue = (value: number): number => Math.min(Math.max(value, 0), VALUES - 1);
const earliestFirst = (seconds: number): number => toValue(seconds - EPOCH_S);
const latestFirst = (seconds: number): number => VALUES - 1 - earliestFirst(seconds);

/** What needs a call before what does not; rows of one group keep their place from poll to poll. */
const ATTENTION: Record<Reason, number> = {
  vanishedMoving: 0,
  overdue: 1,
  vanishedStopped: 3,
  vanished: 3,
  quiet: 3,
  oneFix: 4,
  noFix: 4,
  displaced: 5,
  inPlace: 6,
  neverSeen: 7,
};
const FLAGGED_GROUP = 2;
const ATTENTION_OF = REASONS.map((reason) => ATTENTION[reason]);
/** Groups that are read by how long it has lasted; since-when does not change, so nothing reshuffles. */
const LAST_BY_SINCE = 3;
const MOVING = STATUSES.indexOf('moving');
const STOPPED = STATUSES.indexOf('stopped');

/** A group and a value within it as one number; the smaller come first. */
const toKey = (group: number, value: number): number => group * VALUES + value;
const LAST = toKey(1, 0);

const KEYS: Record<SortOrder, (columns: Columns, row: number) => number> = {
  attention: ({ reason, flags, sinceS }, row) => {
    const own = ATTENTION_OF[reason[row]!] ?? 4;
    const group = flags[row] !== 0 ? Math.min(own, FLAGGED_GROUP) : own;
    const bySince = group <= LAST_BY_SINCE && group !== FLAGGED_GROUP;
    return toKey(group, bySince && sinceS[row] ? earliestFirst(sinceS[row]!) : 0);
  },
  truck: () => 0,
  parked: ({ status, sinceS }, row) =>
    status[row] === STOPPED && sinceS[row] ? earliestFirst(sinceS[row]!) : LAST,
  newest: ({ fixAtS }, row) => (fixAtS[row] ? latestFirst(fixAtS[row]!) : LAST),
  oldest: ({ fixAtS }, row) => (fixAtS[row] ? earliestFirst(fixAtS[row]!) : LAST),
  fastest: ({ speedKph, status }, row) =>
    status[row] === MOVING && speedKph[row] !== NOT_DERIVED ? toValue(VALUES - 1 - speedKph[row]!) : LAST,
};

/**
 * Rows in an order; where it does not decide, by truck number, so that two polls never swap equal rows.
 *
 * @throws RangeError for a fleet of more than 1,048,576 rows.
 */
export const sortRows = (fleet: Fleet, rows: ArrayLike<number>, order: SortOrder): number[] => {
  if (fleet.rows > RANKS)
    throw new RangeError(`A fleet of ${fleet.rows} rows when at most ${RANKS} can be sorted.`);
  const { rows: byTruck, rankOf } = readTruckOrder(fleet);
  const keyOf = KEYS[order];
  const isWanted = new Uint8Array(fleet.rows);
  for (let i = 0; i < rows.length; i++) isWanted[rows[i]!] = 1;
  // Read in the order of truck numbers, rows without a value of their own are sorted already: most of them.
  const plain = Array.from({ length: GROUPS }, (): number[] => []);
  const valued = Array.from({ length: GROUPS }, (): number[] => []);
  for (const row of byTruck) {
    if (isWanted[row] === 0) continue;
    const key = keyOf(fleet.columns, row);
    const group = Math.floor(key / VALUES);
    const value = key - group * VALUES;
    if (value === 0) plain[group]!.push(row);
    else valued[group]!.push(value * RANKS + rankOf[row]!);
  }
  const sorted = valued.map((keys) =>
    Array.from(Float64Array.from(keys).sort(), (key) => byTruck[key % RANKS]!),
  );
  return plain.flatMap((own, group) => [own, sorted[group]!]).flat();
};

/**
 * The rows of `next`, in the order in which they stood before: rows that are new come last.
 * For a list under a pointer: what one is about to press does not move away.
 */
export const holdOrder = (before: readonly number[], next: readonly number[]): number[] => {
  const wanted = new Set(next);
  const kept = before.filter((row) => wanted.delete(row));
  return [...kept, ...next.filter((row) => wanted.has(row))];
};
