import { NO_POSITION, hasUnit, type Fleet } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import {
  FLAGS,
  REASONS,
  STATUSES,
  toFlagMask,
  type Flag,
  type Reason,
  type Status,
} from '@/lib/motion/status';
import type { BoardVerdict } from './load-verdicts';
import { marksOf } from './marks';
import { keepRows, readAllRows } from './rows';
import { searchRows, type SiteNames } from './search';
import type { Bounds } from '@/lib/geo/geodesy';

/**
 * The units to show: of any of these statuses or kinds of silence, with any flag or one of these (nothing
 * chosen: all), at one of these sites (none: anywhere), that have one of these tags and a load with one of
 * these verdicts (none chosen: all) and match the search.
 */
export interface UnitFilter {
  statuses: readonly Status[];
  reasons: readonly Reason[];
  flagged: boolean;
  flags: readonly Flag[];
  tags: readonly string[];
  /** Ids of sites. */
  sites: readonly number[];
  /** Verdicts of their loads. */
  loads: readonly BoardVerdict[];
  query: string;
}

/** Whether a filter leaves units out, the search apart. */
export const isNarrowed = (filter: Omit<UnitFilter, 'query'>): boolean =>
  isNarrowedByState(filter) || filter.tags.length + filter.sites.length + filter.loads.length > 0;

const isNarrowedByState = ({
  statuses,
  reasons,
  flagged,
  flags,
}: Pick<UnitFilter, 'statuses' | 'reasons' | 'flagged' | 'flags'>): boolean =>
  statuses.length > 0 || reasons.length > 0 || flagged || flags.length > 0;

const keepTagged = ({ identities }: Fleet, rows: Int32Array, tags: readonly string[]): Int32Array =>
  tags.length === 0
    ? rows
    : keepRows(rows, (row) => {
        const identity = identities[row];
        return identity != null && marksOf(identity).tags.some((tag) => tags.includes(tag));
      });

const keepLoaded = ({ identities }: Fleet, rows: Int32Array, verdicts: readonly BoardVerdict[]): Int32Array =>
  verdicts.length === 0
    ? rows
    : keepRows(rows, (row) => {
        const identity = identities[row];
        return (
          identity != null &&
          marksOf(identity).loads.some(({ verdict }) => verdict !== null && verdicts.includes(verdict))
        );
      });

const keepAtSites = (
  { columns: { siteId } }: Fleet,
  rows: Int32Array,
  sites: readonly number[],
): Int32Array => {
  if (sites.length === 0) return rows;
  const wanted = new Set(sites);
  return keepRows(rows, (row) => siteId[row] !== 0 && wanted.has(siteId[row]!));
};

/** Rows of the units that a filter passes, ascending; the same list where nothing but the search narrows it. */
export const filterRows = (
  fleet: Fleet,
  filter: UnitFilter,
  siteNames: SiteNames | null = null,
): Int32Array => {
  const matching = searchRows(fleet, filter.query, siteNames) ?? readAllRows(fleet);
  const loaded = keepLoaded(fleet, matching, filter.loads);
  const found = keepAtSites(fleet, keepTagged(fleet, loaded, filter.tags), filter.sites);
  if (!isNarrowedByState(filter)) return found;
  const { status, reason, flags } = fleet.columns;
  const wanted = STATUSES.map((name) => filter.statuses.includes(name));
  const wantedReasons = REASONS.map((name) => filter.reasons.includes(name));
  const wantedFlags = filter.flagged ? -1 : toFlagMask(filter.flags);
  return keepRows(found, (row) =>
    Boolean(wanted[status[row]!] || wantedReasons[reason[row]!] || (flags[row]! & wantedFlags) !== 0),
  );
};

const TURN_E5 = 360 / DEGREES_PER_E5;

/** The rows whose units are within bounds, in the order given. */
export const rowsInBounds = (fleet: Fleet, rows: Int32Array, bounds: Bounds): Int32Array => {
  const { latE5, lngE5 } = fleet.columns;
  // In the columns' own integers, and by a plain loop: this runs over the whole fleet with every poll.
  const toE5 = (degrees: number): number => Math.round(degrees / DEGREES_PER_E5);
  const [south, west, north] = bounds.map(toE5) as [number, number, number, number];
  const width = toE5(bounds[3] - bounds[1]);
  const inside = new Int32Array(rows.length);
  let count = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const lat = latE5[row]!;
    if (lat < south || lat > north || lat === NO_POSITION) continue;
    // Degrees east of the west edge, whichever turn of the world the map shows.
    let east = lngE5[row]! - west;
    if (east < 0 || east >= TURN_E5) east = ((east % TURN_E5) + TURN_E5) % TURN_E5;
    if (east <= width) inside[count++] = row;
  }
  return inside.slice(0, count);
};

/** Counts of all units, of each status and each reason, of flagged units, and of each flag. */
export interface FleetCounts {
  all: number;
  byStatus: Record<Status, number>;
  byReason: Record<Reason, number>;
  flagged: number;
  byFlag: Record<Flag, number>;
}

const toRecord = <T extends string>(names: readonly T[], tally: readonly number[]): Record<T, number> =>
  Object.fromEntries(names.map((name, i) => [name, tally[i]])) as Record<T, number>;

export const countFleet = (fleet: Fleet): FleetCounts => {
  const { status, reason, flags } = fleet.columns;
  const tally = new Array<number>(STATUSES.length).fill(0);
  const reasons = new Array<number>(REASONS.length).fill(0);
  const flagTally = new Array<number>(FLAGS.length).fill(0);
  let all = 0;
  let flagged = 0;
  for (let row = 0; row < fleet.rows; row++) {
    if (!hasUnit(fleet, row)) continue;
    all += 1;
    tally[status[row]!]! += 1;
    reasons[reason[row]!]! += 1;
    const mask = flags[row]!;
    if (mask === 0) continue;
    flagged += 1;
    for (let bit = 0; bit < FLAGS.length; bit++) if (mask & (1 << bit)) flagTally[bit]! += 1;
  }
  return {
    all,
    byStatus: toRecord(STATUSES, tally),
    byReason: toRecord(REASONS, reasons),
    flagged,
    byFlag: toRecord(FLAGS, flagTally),
  };
};
