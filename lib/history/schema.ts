import { list, nullable, number, object, oneOf, text } from '@/lib/wire/shape';
import type { ShapeOf } from '@/lib/wire/shape';

/**
 * A time in which the provider's answers for a fleet came, or did not; Unix ms. `notRunning`: no poll, because no process
 * recorded; `lost`: answers came that could not be stored. `problem` is the kind of the problem, null where there is none.
 */
const coverageIntervalSchema = object({
  fromMs: number,
  toMs: number,
  state: oneOf(['answered', 'failing', 'notRunning', 'lost']),
  problem: nullable(text),
});
export type CoverageInterval = ShapeOf<typeof coverageIntervalSchema>;

/** How many units had each status, in the order of STATUSES, at the end of the ten minutes from `fromMs` on. */
const statusCountsSchema = object({ fromMs: number, counts: list(number) });
export type StatusCounts = ShapeOf<typeof statusCountsSchema>;

/** GET /api/fleets/:usdot/past/hours?from=&to=: when a fleet was recorded, and the counts of its units. */
export const recordedHoursSchema = object({
  coverage: list(coverageIntervalSchema),
  counts: list(statusCountsSchema),
});
export type RecordedHours = ShapeOf<typeof recordedHoursSchema>;

/** One recorded fix of a unit. */
export interface TrailFix {
  fixAtMs: number;
  /** When the answer with it came, Unix ms. */
  seenAtMs: number;
  lat: number;
  lng: number;
  /** It is dated by when it was received, because the unit's own times cannot be trusted. */
  isByReceipt: boolean;
  /** As the map showed it with this fix; null where it showed none, or another position. */
  speedKph: number | null;
  headingDeg: number | null;
}
