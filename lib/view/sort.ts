import { NOT_DERIVED, type Columns, type Fleet } from '@/lib/wire/fleet';
import { REASONS, STATUSES, type Reason } from '@/lib/motion/status';
import type { SiteNames } from './search';
import { createPerIdentity } from './rows';
import { unitName } from './unit-name';

export const SORT_ORDERS = ['attention', 'truck', 'parked', 'newest', 'oldest', 'fastest', 'site'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const SORT_LABELS: Record<SortOrder, string> = {
  attention: 'Needs attention first',
  truck: 'Truck number',
  parked: 'Longest parked',
  newest: 'Newest fix',
  oldest: 'Oldest fix',
  fastest: 'Fastest',
  site: 'Site',
};

// Rows are sorted by group, then by value; a value and the rank by truck number (20 bits) share one integer.
const GROUPS = 8;
const RANKS = 2 ** 20;
const VALUES = 2 ** 30;
/** Times are counted from 2020-01-01, so that 30 bits of seconds last until 2054. */
const EPOCH_S = 1_577_836_800;

const toValue = (value: number): number => Math.min(Math.max(value, 0), VALUES - 1);
const earliestFirst = (seconds: number): number => toValue(seconds - EPOCH_S);
const latestFirst = (seconds: number): number => VALUES - 1 - earliestFirst(seconds);

/** Units that need a call come first; rows of one group keep their place from poll to poll. */
const ATTENTION: Record<Reason, number> = {
  vanishedMoving: 0,
  overdue: 1,
  vanishedStopped: 3,
  vanished: 3,
  quiet: 3,
  oneFix: 4,
  noFix: 4,
  unclear: 4,
  byReceipt: 4,
  displaced: 5,
  inPlace: 6,
  neverSeen: 7,
};
const FLAGGED_GROUP = 2;
const ATTENTION_OF = REASONS.map((reason) => ATTENTION[reason]);
/** Groups that are sorted by duration; since-times do not change, so nothing reshuffles. */
const LAST_BY_SINCE = 3;
const MOVING = STATUSES.indexOf('moving');
const STOPPED = STATUSES.indexOf('stopped');

/** Each row's group and its value within it, 0 for none; the smaller come first. */
interface Keys {
  groups: Uint8Array;
  values: Int32Array;
}

const createKeys = (rows: number): Keys => ({ groups: new Uint8Array(rows), values: new Int32Array(rows) });

/** The default order: one plain loop, because a function call for each row takes twice the time. */
const byAttention = ({ reason, flags, sinceS }: Columns, rows: number): Keys => {
  const { groups, values } = createKeys(rows);
  for (let row = 0; row < rows; row++) {
    const own = ATTENTION_OF[reason[row]!] ?? 4;
    const group = flags[row] !== 0 && own > FLAGGED_GROUP ? FLAGGED_GROUP : own;
    groups[row] = group;
    if (group <= LAST_BY_SINCE && group !== FLAGGED_GROUP && sinceS[row] !== 0)
      values[row] = earliestFirst(sinceS[row]!);
  }
  return { groups, values };
};

/** Rows that have a value, sorted by it, then those without. */
const byValue = (
  rows: number,
  hasValue: (row: number) => boolean,
  valueOf: (row: number) => number,
): Keys => {
  const { groups, values } = createKeys(rows);
  for (let row = 0; row < rows; row++) {
    if (hasValue(row)) values[row] = valueOf(row);
    else groups[row] = 1;
  }
  return { groups, values };
};

const KEYS: Record<SortOrder, (columns: Columns, rows: number, sites: SiteNames | null) => Keys> = {
  attention: byAttention,
  truck: (_, rows) => createKeys(rows),
  parked: ({ status, sinceS }, rows) =>
    byValue(
      rows,
      (row) => status[row] === STOPPED && sinceS[row] !== 0,
      (row) => earliestFirst(sinceS[row]!),
    ),
  newest: ({ fixAtS }, rows) =>
    byValue(
      rows,
      (row) => fixAtS[row] !== 0,
      (row) => latestFirst(fixAtS[row]!),
    ),
  oldest: ({ fixAtS }, rows) =>
    byValue(
      rows,
      (row) => fixAtS[row] !== 0,
      (row) => earliestFirst(fixAtS[row]!),
    ),
  fastest: ({ speedKph, status }, rows) =>
    byValue(
      rows,
      (row) => status[row] === MOVING && speedKph[row] !== NOT_DERIVED,
      (row) => toValue(VALUES - 1 - speedKph[row]!),
    ),
  // Before the names are loaded, in the order in which the sites were added.
  site: ({ siteId }, rows, sites) =>
    byValue(
      rows,
      (row) => siteId[row] !== 0,
      (row) => toValue(sites?.ranks.get(siteId[row]!) ?? siteId[row]!),
    ),
};

/** Below this part of a fleet, comparing its rows is faster than scanning all in the order of truck numbers. */
const FEW = 16;

/** Group, value and rank are 53 bits together: as one number they sort as numbers do. */
const sortFew = (rows: Int32Array, { groups, values }: Keys, byTruck: TruckOrder): Int32Array => {
  const keys = Float64Array.from(
    rows,
    (row) => (groups[row]! * VALUES + values[row]!) * RANKS + byTruck.rankOf[row]!,
  );
  return Int32Array.from(keys.sort(), (key) => byTruck.rows[key % RANKS]!);
};

/**
 * Rows in an order; equal rows are sorted by truck number, so that two polls never swap them.
 *
 * @throws RangeError for a fleet of more than 1,048,576 rows.
 */
export const sortRows = (
  fleet: Fleet,
  rows: Int32Array,
  order: SortOrder,
  sites: SiteNames | null = null,
): Int32Array => {
  if (fleet.rows > RANKS)
    throw new RangeError(`A fleet of ${fleet.rows} rows when at most ${RANKS} can be sorted.`);
  const { rows: byTruck, rankOf } = readTruckOrder(fleet);
  const keys = KEYS[order](fleet.columns, fleet.rows, sites);
  if (rows.length * FEW <= byTruck.length) return sortFew(rows, keys, { rows: byTruck, rankOf });
  const { groups, values } = keys;
  const isWanted = new Uint8Array(fleet.rows);
  if (rows.length === byTruck.length) isWanted.fill(1);
  else for (let i = 0; i < rows.length; i++) isWanted[rows[i]!] = 1;
  // In the order of truck numbers, rows without a value of their own are already sorted, and most rows are.
  const plainGroup = new Uint8Array(byTruck.length).fill(GROUPS);
  const plain = new Int32Array(GROUPS);
  const valued = Array.from({ length: GROUPS }, (): number[] => []);
  for (let rank = 0; rank < byTruck.length; rank++) {
    const row = byTruck[rank]!;
    if (isWanted[row] === 0) continue;
    const group = groups[row]!;
    const value = values[row]!;
    if (value !== 0) {
      valued[group]!.push(value * RANKS + rankOf[row]!);
      continue;
    }
    plainGroup[rank] = group;
    plain[group]!++;
  }
  const sorted = new Int32Array(rows.length);
  const next = new Int32Array(GROUPS);
  let end = 0;
  for (let group = 0; group < GROUPS; group++) {
    next[group] = end;
    end += plain[group]!;
    for (const key of Float64Array.from(valued[group]!).sort()) sorted[end++] = byTruck[key % RANKS]!;
  }
  for (let rank = 0; rank < byTruck.length; rank++) {
    const group = plainGroup[rank]!;
    if (group < GROUPS) sorted[next[group]!++] = byTruck[rank]!;
  }
  return sorted.subarray(0, end);
};

/** The rows of `next` in their previous order, new ones last: nothing moves under the pointer. */
export const holdOrder = (before: Int32Array, next: Int32Array): Int32Array => {
  const most = Math.max(before.reduce(larger, -1), next.reduce(larger, -1));
  const isWanted = new Uint8Array(most + 1);
  for (const row of next) isWanted[row] = 1;
  const held = new Int32Array(next.length);
  let count = 0;
  for (const list of [before, next]) {
    for (let i = 0; i < list.length; i++) {
      if (isWanted[list[i]!] === 0) continue;
      isWanted[list[i]!] = 0;
      held[count++] = list[i]!;
    }
  }
  return held;
};

const larger = (a: number, b: number): number => (a > b ? a : b);

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

/** The rows by truck number in natural order, cached until a unit is renamed; a unit that joins is merged in. */
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
