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

/** Rows of the units that a filter lets through, ascending. */
export const filterRows = (fleet: Fleet, filter: UnitFilter): number[] => {
  const { status, flags } = fleet.columns;
  const everything = filter.statuses.length === 0 && !filter.flagged;
  const wanted = STATUSES.map((name) => filter.statuses.includes(name));
  const matches = createMatcher(fleet, filter.query);
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
  const width = bounds.east - bounds.west;
  return rows.filter((row) => {
    if (latE5[row] === NO_POSITION) return false;
    const lat = latE5[row]! * DEGREES_PER_E5;
    if (lat < bounds.south || lat > bounds.north) return false;
    // Degrees east of the west edge, whichever turn of the world the map shows.
    const east = (((lngE5[row]! * DEGREES_PER_E5 - bounds.west) % 360) + 360) % 360;
    return east <= width;
  });
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
