import 'server-only';
import type { DerivedStatus } from '@/lib/motion/derive';
import type { MotionState } from '@/lib/motion/motion-state';
import { newestOf } from '@/lib/motion/track';
import { COLUMNS, NO_POSITION, NOT_DERIVED, type Columns } from '@/lib/wire/fleet';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { REASONS, STATUSES, type Reason, type Status } from '@/lib/motion/status';

const toIndex = <T extends string>(names: readonly T[]): Record<T, number> =>
  Object.fromEntries(names.map((name, i) => [name, i])) as Record<T, number>;

const STATUS_INDEX: Record<Status, number> = toIndex(STATUSES);
const REASON_INDEX: Record<Reason, number> = toIndex(REASONS);

export const toSeconds = (ms: number): number => Math.floor(ms / 1000);
export const toE5 = (degrees: number): number => Math.round(degrees / DEGREES_PER_E5);

/** Writes a unit into its row. The position is the fix held, else one without a usable time. */
export const writeRow = (
  columns: Columns,
  row: number,
  motionState: MotionState,
  derived: DerivedStatus,
  flagMask: number,
): void => {
  const fix = newestOf(motionState.track);
  const place = fix ?? motionState.untimed;
  columns.latE5[row] = place ? toE5(place.lat) : NO_POSITION;
  columns.lngE5[row] = place ? toE5(place.lng) : NO_POSITION;
  columns.fixAtS[row] = fix ? toSeconds(fix.fixAtMs) : 0;
  columns.speedKph[row] = derived.speedKph === null ? NOT_DERIVED : Math.round(derived.speedKph);
  columns.headingDeg[row] = derived.headingDeg === null ? NOT_DERIVED : Math.round(derived.headingDeg) % 360;
  columns.status[row] = STATUS_INDEX[derived.status];
  columns.reason[row] = REASON_INDEX[derived.reason];
  columns.sinceS[row] = derived.sinceMs === null ? 0 : toSeconds(derived.sinceMs);
  columns.flags[row] = flagMask;
  columns.datedAfterS[row] = toSeconds(derived.datedAfterMs);
  columns.coarseM[row] = derived.coarseM;
};

/** Clears a row: no unit and no position, for code that reads columns without the identities. */
export const clearRow = (columns: Columns, row: number): void => {
  for (const name of COLUMNS) columns[name][row] = 0;
  columns.latE5[row] = NO_POSITION;
  columns.lngE5[row] = NO_POSITION;
};

/** The first `rows` rows, in arrays of their own. */
export const copyRows = (columns: Columns, rows: number): Columns =>
  Object.fromEntries(COLUMNS.map((name) => [name, columns[name].slice(0, rows)])) as Columns;
