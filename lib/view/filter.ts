import { DEGREES_PER_E5, NO_POSITION, hasUnit } from '@/lib/wire/fleet';
import type { Fleet } from '@/lib/wire/fleet';
import { STATUSES } from '@/lib/wire/status';
import type { Status } from '@/lib/wire/status';
import { createMatcher } from './search';

/** What is looked at: units of any of these statuses or with a flag (nothing chosen: all), that match the search. */
export interface UnitFilter {
  statuses: readonly Status[];
  flagged: boolean;
  query: string;
}

/** A rectangle on the map, degrees; `west` may lie beyond -180 and `east` beyond 180. */
export interface Bounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

const heldRows = new WeakMap<Fleet['identities'], Int32Array>();

/** Rows that hold a unit, ascending: the same list for as long as the list of identities is the same. */
const readAllRows = (fleet: Fleet): Int32Array => {
  const held = heldRows.get(fleet.identities);
  if (held) return held;
  const all = collectRows(fleet, () => true);
  heldRows.set(fleet.identities, all);
  return all;
};

const collectRows = (fleet: Fleet, isWanted: (row: number) => boolean): Int32Array => {
  const rows = new Int32Array(fleet.rows);
  let count = 0;
  for (let row = 0; row < fleet.rows; row++) if (hasUnit(fleet, row) && isWanted(row)) rows[count++] = row;
  return rows.slice(0, count);
};

/** Rows of the units that a filter lets through, ascending; the same list again where all of them are. */
export const filterRows = (fleet: Fleet, filter: UnitFilter): Int32Array => {
  const { status, flags } = fleet.columns;
  const everything = filter.statuses.length === 0 && !filter.flagged;
  const wanted = STATUSES.map((name) => filter.statuses.includes(name));
  const matches = createMatcher(fleet, filter.query);
  if (everything && matches === null) return readAllRows(fleet);
  return collectRows(fleet, (row) => {
    const isChosen = everything || wanted[status[row]!] || (filter.flagged && flags[row] !== 0);
    return Boolean(isChosen) && (matches === null || matches(row));
  });
};

const TURN_E5 = 360 / DEGREES_PER_E5;

/** Those rows whose units stand within bounds, in the order given. */
export const rowsInBounds = (fleet: Fleet, rows: Int32Array, bounds: Bounds): Int32Array => {
  const { latE5, lngE5 } = fleet.columns;
  // In the columns' own whole numbers, and by a plain loop: this runs over the whole fleet with every poll.
  const toE5 = (degrees: number): number => Math.round(degrees / DEGREES_PER_E5);
  const [south, north, west] = [toE5(bounds.south), toE5(bounds.north), toE5(bounds.west)];
  const width = toE5(bounds.east - bounds.west);
  const inside = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const lat = latE5[row]!;
    if (lat < south || lat > north || lat === NO_POSITION) continue;
    // East of the west edge, whichever turn of the world the map shows.
    let east = lngE5[row]! - west;
    if (east < 0 || east >= TURN_E5) east = ((east % TURN_E5) + TURN_E5) % TURN_E5;
    if (east <= width) inside[count++] = row;
  }
  return inside.slice(0, count);
};

/** How many units there are in all, in each status, and with something to check. */
export interface FleetCounts {
  all: number;
  byStatus: Record<Status, number>;
  flagged: number;
}

export const countFleet = (fleet: Fleet): FleetCounts => {
  const { status, flags } = fleet.columns;
  const tally = new Array<number>(STATUSES.length).fill(0);
  let all = 0;
  let flagged = 0;
  for (let row = 0; row < fleet.rows; row++) {
    if (!hasUnit(fleet, row)) continue;
    all += 1;
    tally[status[row]!]! += 1;
    if (flags[row] !== 0) flagged += 1;
  }
  const byStatus = Object.fromEntries(STATUSES.map((name, i) => [name, tally[i]])) as Record<Status, number>;
  return { all, byStatus, flagged };
};
