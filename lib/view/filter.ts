import { DEGREES_PER_E5, NO_POSITION } from '@/lib/wire/fleet';
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

const heldRows = new WeakMap<Fleet['identities'], readonly number[]>();

/** Rows that hold a unit, ascending: the same list for as long as they are the same. */
const readAllRows = ({ identities, rows }: Fleet): readonly number[] => {
  const held = heldRows.get(identities) ?? [];
  let units = 0;
  let isSame = true;
  for (let row = 0; row < rows; row++) {
    if (identities[row] == null) continue;
    if (held[units] !== row) isSame = false;
    units++;
  }
  if (isSame && units === held.length) return held;
  const all: number[] = [];
  for (let row = 0; row < rows; row++) if (identities[row] != null) all.push(row);
  heldRows.set(identities, all);
  return all;
};

/** Rows of the units that a filter lets through, ascending; the same list again where all of them are. */
export const filterRows = (fleet: Fleet, filter: UnitFilter): readonly number[] => {
  const { status, flags } = fleet.columns;
  const everything = filter.statuses.length === 0 && !filter.flagged;
  const wanted = STATUSES.map((name) => filter.statuses.includes(name));
  const matches = createMatcher(fleet, filter.query);
  if (everything && matches === null) return readAllRows(fleet);
  const rows: number[] = [];
  for (let row = 0; row < fleet.rows; row++) {
    if (fleet.identities[row] == null) continue;
    if (!everything && !wanted[status[row]!] && !(filter.flagged && flags[row] !== 0)) continue;
    if (matches !== null && !matches(row)) continue;
    rows.push(row);
  }
  return rows;
};

/** Those rows whose units stand within bounds, in the order given. */
export const rowsInBounds = (fleet: Fleet, rows: readonly number[], bounds: Bounds): number[] => {
  const { latE5, lngE5 } = fleet.columns;
  // In the columns' own unit, and by a plain loop: this runs over the whole fleet with every poll.
  const toE5 = (degrees: number): number => degrees / DEGREES_PER_E5;
  const [south, north, west] = [toE5(bounds.south), toE5(bounds.north), toE5(bounds.west)];
  const [width, turn] = [toE5(bounds.east - bounds.west), toE5(360)];
  const inside: number[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const lat = latE5[row]!;
    if (lat === NO_POSITION || lat < south || lat > north) continue;
    // East of the west edge, whichever turn of the world the map shows.
    let east = lngE5[row]! - west;
    if (east < 0 || east >= turn) east -= turn * Math.floor(east / turn);
    if (east <= width) inside.push(row);
  }
  return inside;
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
    if (fleet.identities[row] == null) continue;
    all += 1;
    tally[status[row]!]! += 1;
    if (flags[row] !== 0) flagged += 1;
  }
  const byStatus = Object.fromEntries(STATUSES.map((name, i) => [name, tally[i]])) as Record<Status, number>;
  return { all, byStatus, flagged };
};
