import { coverageIntervalSchema } from '@/lib/trips/coverage';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import { flag, integer, list, number, object, text, type ShapeOf } from '@/lib/base/shape';
import type { RecordedFix } from '@/lib/trips/trail';
import { HOUR_MS } from '@/lib/base/time';

/** How many units had each status, in the order of STATUSES, at the end of the ten minutes from `fromMs` on. */
const statusCountsSchema = object({ fromMs: number, counts: list(number) });
export type StatusCounts = ShapeOf<typeof statusCountsSchema>;

/** GET /api/fleets/:usdot/past/hours?from=&to=: when a fleet was recorded, and the counts of its units. */
export const recordedHoursSchema = object({
  coverage: list(coverageIntervalSchema),
  counts: list(statusCountsSchema),
});
export type RecordedHours = ShapeOf<typeof recordedHoursSchema>;

export interface TrailFix extends RecordedFix {
  /** When the answer with it came, Unix ms. */
  seenAtMs: number;
  /** As the map showed it with this fix; null where it showed none, or another position. */
  speedKph: number | null;
  headingDeg: number | null;
}

export const MOST_FIXES = 300_000;
/** A trail is read from this long before its range, so that the state at its beginning is known. */
export const LEAD_MS = 2 * HOUR_MS;

/** Columns of a trail's fixes, oldest first; the first item of a column is a value, each other one the difference. */
const fixesSchema = object({
  fixMs: list(number),
  latE5: list(number),
  lngE5: list(number),
  /** Indexes of the fixes that are dated by their receipt. */
  byReceipt: list(integer(0)),
});

/** GET /api/fleets/:usdot/units/:vin/trail?from=&to= (Unix ms): from LEAD_MS before to half an hour after the range. */
export const trailSchema = object({
  nowMs: number,
  fixes: fixesSchema,
  coverage: list(coverageIntervalSchema),
});
export type TrailAnswer = ShapeOf<typeof trailSchema>;

/** GET /api/fleets/:usdot/recorded-days?zone=: the days of a time zone in which the fleet was recorded, ascending. */
export const recordedDaysSchema = object({ days: list(text) });
export type RecordedDays = ShapeOf<typeof recordedDaysSchema>;

/** More tails hide each other, and the map. */
export const MOST_TAILS = 500;

/** The positions of a unit, oldest first. */
export interface Tail {
  fixS: readonly number[];
  /** Degrees × 100,000. */
  latE5: readonly number[];
  lngE5: readonly number[];
}

/** GET /api/fleets/:usdot/tails?minutes=&south=&west=&north=&east=: columns as of a trail; none above MOST_TAILS. */
export const tailsSchema = object({
  isTooMany: flag,
  tails: list(object({ key: text, fixS: list(number), latE5: list(number), lngE5: list(number) })),
});
export type TailsAnswer = ShapeOf<typeof tailsSchema>;

const toDifferences = (values: readonly number[]): number[] =>
  values.map((value, i) => (i === 0 ? value : value - values[i - 1]!));

const toSums = (differences: readonly number[]): number[] => {
  let sum = 0;
  return differences.map((each) => (sum += each));
};

/** The columns of fixes that are in order of time. */
export const encodeFixes = (fixes: readonly RecordedFix[]): TrailAnswer['fixes'] => ({
  fixMs: toDifferences(fixes.map(({ fixAtMs }) => fixAtMs)),
  latE5: toDifferences(fixes.map(({ lat }) => Math.round(lat / DEGREES_PER_E5))),
  lngE5: toDifferences(fixes.map(({ lng }) => Math.round(lng / DEGREES_PER_E5))),
  byReceipt: fixes.flatMap(({ isByReceipt }, i) => (isByReceipt ? [i] : [])),
});

export const decodeFixes = ({ fixMs, latE5, lngE5, byReceipt }: TrailAnswer['fixes']): RecordedFix[] => {
  const [lats, lngs] = [toSums(latE5), toSums(lngE5)];
  const received = new Set(byReceipt);
  return toSums(fixMs).map((fixAtMs, i) => ({
    fixAtMs,
    // Divided, so that 30.26715 is not 30.267150000000001.
    lat: lats[i]! / 1e5,
    lng: lngs[i]! / 1e5,
    isByReceipt: received.has(i),
  }));
};

const mapColumns = ({ fixS, latE5, lngE5 }: Tail, map: (values: readonly number[]) => number[]) => ({
  fixS: map(fixS),
  latE5: map(latE5),
  lngE5: map(lngE5),
});

export const encodeTails = (tails: ReadonlyMap<string, Tail>): TailsAnswer['tails'] =>
  [...tails].map(([key, tail]) => ({ key, ...mapColumns(tail, toDifferences) }));

export const decodeTails = (tails: TailsAnswer['tails']): Map<string, Tail> =>
  new Map(tails.map(({ key, ...tail }) => [key, mapColumns(tail, toSums)]));
