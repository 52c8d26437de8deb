import { joinSure, type SureStay } from '@/lib/arrivals/sure';
import { HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { signedDistanceM } from './geofence';
import type { Site } from './site';

/** A tracker's clock may be wrong by so much without showing: it is taken off every stay. */
export const CLOCK_MS = MINUTE_MS;
/** Fixes that are seen within this time of being made show that the tracker's clock agrees with ours, ms. */
export const LIVE_MS = 5 * MINUTE_MS;
/** The tracker is looked at from so long before a visit to so long after it. */
export const [BEFORE_MS, AFTER_MS] = [12 * HOUR_MS, HOUR_MS];
/** Receivers are exact to so much. */
export const NEAR_M = 10;
/** A clock that was wrong is doubted for so long before and after. */
export const DOUBTED_MS = 3 * HOUR_MS;
/** A fix that is seen so soon is dated by a clock that agrees with ours. */
const FRESH_MS = 2 * MINUTE_MS;
/** Fixes farther apart show silence, where those of the truck are usually nearer to each other. */
const LEAST_SILENCE_MS = 10 * MINUTE_MS;
const USUAL_INTERVALS = 3;
const SOME_FIXES = 3;
/** A truck that was silent stands where it stood if its fixes before and after are no farther apart: receivers scatter. */
const SAME_SPOT_M = 50;

/** A recorded fix, Unix ms. One that is dated by its receipt is no evidence of a time. */
export interface EvidenceFix extends LatLng {
  fixAtMs: number;
  seenAtMs: number;
  isByReceipt: boolean;
}

/** A fix with its own time. */
export interface PlacedFix extends EvidenceFix {
  /** Whole seconds, as visits have them, Unix ms. */
  madeMs: number;
  /** Meters to the edge, negative inside. */
  edgeM: number;
}

/** A visit, or a stay of several, Unix ms; `leftMs` null: it lasts. */
export interface StayTimes {
  arrivedAfterMs: number | null;
  arrivedMs: number;
  leftMs: number | null;
  leftByMs: number | null;
}

/** A fix of a visit, inside its edge, with when it was made and seen, Unix ms. */
interface InsideFix {
  fixMs: number;
  seenMs: number;
}

/** The times from which and until which fixes tell of a visit, Unix ms. */
export const toWindow = ({ arrivedAfterMs, arrivedMs, leftMs, leftByMs }: StayTimes): TimeRange => ({
  fromMs: (arrivedAfterMs ?? arrivedMs) - BEFORE_MS,
  toMs: leftMs === null ? Infinity : (leftByMs ?? leftMs) + AFTER_MS,
});

export const isFresh = ({ madeMs, seenAtMs }: Pick<PlacedFix, 'madeMs' | 'seenAtMs'>): boolean =>
  seenAtMs >= madeMs && seenAtMs - madeMs <= FRESH_MS;

/** The fixes that the tracker has dated, with how far they are from the edge of a site. */
export const toPlaced = (fixes: readonly EvidenceFix[], shape: Site['shape']): PlacedFix[] =>
  fixes
    .filter(({ isByReceipt }) => !isByReceipt)
    .map((fix) => ({
      ...fix,
      madeMs: Math.floor(fix.fixAtMs / 1000) * 1000,
      edgeM: signedDistanceM(shape, fix),
    }));

const isWithin = ({ madeMs, edgeM }: PlacedFix, { arrivedMs, leftMs }: StayTimes): boolean =>
  edgeM <= 0 && madeMs >= arrivedMs && madeMs <= (leftMs ?? Infinity);

/** The fixes of a stay inside the edge. */
export const toInsideFixes = (fixes: readonly PlacedFix[], stay: StayTimes): PlacedFix[] =>
  fixes.filter((fix) => isWithin(fix, stay));

/** Whether the tracker's clock was wrong around a stay. */
export const isClockDoubted = (
  fixes: readonly EvidenceFix[],
  { arrivedMs, leftMs }: Pick<StayTimes, 'arrivedMs' | 'leftMs'>,
): boolean =>
  fixes.some(
    ({ isByReceipt, seenAtMs }) =>
      isByReceipt && seenAtMs > arrivedMs - DOUBTED_MS && seenAtMs < (leftMs ?? Infinity) + DOUBTED_MS,
  );

/** The times between fixes, the shortest first, ms. */
export const toSpans = (fixes: readonly PlacedFix[]): number[] =>
  fixes
    .slice(1)
    .map(({ madeMs }, i) => madeMs - fixes[i]!.madeMs)
    .sort((a, b) => a - b);

/** The longest time between fixes of a truck that is no silence, ms. */
export const toUsualMs = (fixes: readonly PlacedFix[]): number => {
  const spans = toSpans(fixes);
  const median = fixes.length < SOME_FIXES ? 0 : spans[Math.floor(spans.length / 2)]!;
  return Math.max(LEAST_SILENCE_MS, USUAL_INTERVALS * median);
};

/**
 * When a truck was seen outside: by the time of the fix, and where that cannot be relied on, by when the fix was seen. The edge is
 * no evidence.
 */
const toOutsideMs = (fixes: readonly EvidenceFix[], shape: Site['shape'], isDoubted: boolean): number[] =>
  fixes
    .filter((fix) => signedDistanceM(shape, fix) > NEAR_M)
    .flatMap(({ fixAtMs, seenAtMs, isByReceipt }) => [
      ...(isByReceipt ? [] : [fixAtMs]),
      ...(isByReceipt || (isDoubted && !isFresh({ madeMs: fixAtMs, seenAtMs })) ? [seenAtMs] : []),
    ])
    .sort((a, b) => a - b);

/**
 * Fixes inside, in order, in a list of their own for each time that the truck was seen outside in between, or was silent and
 * stood elsewhere after it.
 */
const toRuns = (
  inside: readonly PlacedFix[],
  outsideMs: readonly number[],
  usualMs: number,
): PlacedFix[][] => {
  const runs: PlacedFix[][] = [];
  let next = 0;
  for (const fix of inside) {
    const [before, last] = [next, runs.at(-1)?.at(-1)];
    while (next < outsideMs.length && outsideMs[next]! < fix.fixAtMs) next += 1;
    const hasMoved =
      last !== undefined && fix.madeMs - last.madeMs > usualMs && distanceM(last, fix) > SAME_SPOT_M;
    if (last !== undefined && next === before && !hasMoved) runs.at(-1)!.push(fix);
    else runs.push([fix]);
  }
  return runs;
};

/** When fixes inside, of a truck that was not seen outside between them, surely show it inside. */
const toSpan = (inside: readonly InsideFix[]): TimeRange => {
  const first = inside.reduce(
    (least, { fixMs, seenMs }) => Math.min(least, Math.max(fixMs, seenMs)),
    Infinity,
  );
  const live = inside.filter(({ fixMs, seenMs }) => Math.abs(seenMs - fixMs) <= LIVE_MS);
  const last = live.reduce((most, { fixMs, seenMs }) => Math.max(most, Math.min(fixMs, seenMs)), -Infinity);
  return { fromMs: first, toMs: Math.max(first, last - CLOCK_MS) };
};

/**
 * How long a truck was surely inside, by its fixes inside in order, in a list of their own for each time that it was seen outside
 * in between. It had arrived once the first fix inside was seen, whatever its tracker's clock says, and was there at the last
 * fix inside that was seen while it was new. Fixes that were handed over later count for neither. Null: no fix was seen inside.
 */
export const toSureStay = (runs: readonly (readonly InsideFix[])[]): SureStay | null => {
  const spans = runs.map(toSpan);
  if (spans.length === 0) return null;
  const sure = spans.filter(({ fromMs, toMs }) => toMs > fromMs).map((span) => ({ ...span, away: [] }));
  return joinSure(sure) ?? { fromMs: spans[0]!.fromMs, toMs: spans[0]!.fromMs, away: [] };
};

/**
 * What the fixes of a truck prove of a visit, with those from before it to after it: of a stay of several visits each is judged
 * by its own, wherever it is counted. One that lasts is counted until its newest fix inside, and one outside after that begins a
 * time away that lasts until `nowMs`. Null: no fix was seen inside.
 */
export const toSureVisit = (
  fixes: readonly EvidenceFix[],
  shape: Site['shape'],
  visit: StayTimes,
  nowMs = Infinity,
): SureStay | null => {
  const window = toWindow(visit);
  const within = fixes.filter(({ fixAtMs }) => fixAtMs >= window.fromMs && fixAtMs <= window.toMs);
  const placed = toPlaced(within, shape);
  const inside = toInsideFixes(placed, visit);
  const outsideMs = toOutsideMs(within, shape, isClockDoubted(within, visit));
  const runs = toRuns(inside, outsideMs, toUsualMs(placed));
  const sure = toSureStay(
    runs.map((run) => run.map(({ madeMs, seenAtMs }) => ({ fixMs: madeMs, seenMs: Math.ceil(seenAtMs) }))),
  );
  const isOut = sure && visit.leftMs === null && outsideMs.some((ms) => ms > inside.at(-1)!.fixAtMs);
  return isOut && nowMs > sure.toMs
    ? { ...sure, toMs: nowMs, away: [...sure.away, { fromMs: sure.toMs, toMs: nowMs }] }
    : sure;
};
