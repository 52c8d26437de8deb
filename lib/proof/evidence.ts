import { toBetween, type Covered, type Interval, type Part } from '@/lib/arrivals/interval';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { signedDistanceM } from '@/lib/rules/geofence';
import type { Site } from '@/lib/rules/site';
import type { DetentionStatement, StatementFix } from './kinds/detention-statement';
import { CLOCK_MS, LIVE_MS, toBilling, toSureStay, type Terms } from './terms';

/** A recorded fix, Unix ms. One that is dated by its receipt is no evidence of a time. */
export interface EvidenceFix extends LatLng {
  fixAtMs: number;
  seenAtMs: number;
  isByReceipt: boolean;
}

/** A stay that has ended, Unix ms. */
export interface Stay {
  arrivedAfterMs: number | null;
  arrivedMs: number;
  leftMs: number;
  leftByMs: number | null;
}

interface EvidenceInput {
  /** In the order of their times, from before the arrival to after the departure. */
  fixes: readonly EvidenceFix[];
  site: Pick<Site, 'shape' | 'marginM'>;
  stay: Stay;
  coverage: readonly Covered[];
  terms: Terms;
  appointment: { fromMs: number; toMs: number } | null;
}

export type Evidence = Pick<
  DetentionStatement,
  'arrival' | 'departure' | 'between' | 'sure' | 'billing' | 'fixes' | 'gaps' | 'trail' | 'quality'
>;

/** Fixes of a table before and after a crossing. */
const SHOWN = 6;
const MOST_POINTS = 400;
const MOST_PARTS = 200;
/** The map shows the way from and to the site for so long. */
const WAY_MS = 30 * MINUTE_MS;
/** Fixes farther apart show silence, where those of the truck are usually nearer to each other. */
const LEAST_SILENCE_MS = 10 * MINUTE_MS;
const USUAL_INTERVALS = 3;
/** A truck that was silent stands where it stood if its fixes before and after are no farther apart: receivers scatter. */
const SAME_SPOT_M = 50;
/** Fixes farther apart show a truck that moves. */
const MOVED_M = 150;
/** Receivers are exact to so much. */
const NEAR_M = 10;
/** A fix that is seen so soon is dated by a clock that agrees with ours. */
const FRESH_MS = 2 * MINUTE_MS;
/** A clock that was wrong is doubted for so long before and after. */
const DOUBTED_MS = 3 * HOUR_MS;
const SOME_FIXES = 3;

interface PlacedFix extends EvidenceFix {
  /** Whole seconds, as visits have them, Unix ms. */
  madeMs: number;
  /** Meters to the edge, negative inside. */
  edgeM: number;
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

const sorted = (values: number[]): number[] => values.sort((a, b) => a - b);

const toSpans = (fixes: readonly PlacedFix[]): number[] =>
  sorted(fixes.slice(1).map(({ madeMs }, i) => madeMs - fixes[i]!.madeMs));

const toQuality = (fixes: readonly PlacedFix[]): Evidence['quality'] => {
  if (fixes.length < SOME_FIXES) return null;
  const delays = sorted(fixes.map(({ fixAtMs, seenAtMs }) => Math.round(seenAtMs - fixAtMs)));
  const intervals = toSpans(fixes);
  return {
    fixes: fixes.length,
    delayP50Ms: percentile(delays, 0.5),
    delayP95Ms: percentile(delays, 0.95),
    intervalP50Ms: percentile(intervals, 0.5),
    longestGapMs: intervals.at(-1)!,
    handedOver: delays.filter((ms) => ms > LIVE_MS).length,
    ahead: delays.filter((ms) => ms < 0).length,
  };
};

const toE5 = (degrees: number): number => Math.round(degrees * 1e5);

const toStatementFix =
  (marginM: number) =>
  ({ madeMs, seenAtMs, lat, lng, edgeM }: PlacedFix): StatementFix => ({
    ...{ madeMs, seenMs: Math.round(seenAtMs), latE5: toE5(lat), lngE5: toE5(lng) },
    place: edgeM <= 0 ? 'inside' : edgeM <= marginM ? 'margin' : 'outside',
    edgeM: Math.round(Math.abs(edgeM)),
  });

/** The fixes around both ends of an interval. */
const pickAround = (fixes: readonly PlacedFix[], { afterMs, byMs }: Interval): readonly PlacedFix[] => {
  const fromMs = afterMs ?? byMs!;
  const from = fixes.findIndex(({ madeMs }) => madeMs >= fromMs);
  if (from < 0) return fixes.slice(-SHOWN);
  const toMs = byMs ?? fromMs;
  const to = fixes.findLastIndex(({ madeMs }) => madeMs <= toMs);
  const around = fixes.slice(Math.max(0, from - SHOWN + 1), to + SHOWN);
  // Between two far ends the middle ones say least.
  return around.length <= 4 * SHOWN ? around : [...around.slice(0, 2 * SHOWN), ...around.slice(-2 * SHOWN)];
};

const thin = <T>(list: readonly T[]): T[] => {
  const step = Math.max(1, Math.ceil(list.length / (MOST_POINTS - 1)));
  return list.filter((_, i) => i % step === 0 || i === list.length - 1);
};

const isGap = ({ why }: Part): boolean => why !== 'moving' && why !== 'standing';

/** A time that a fix is surely not before: of one that was seen before it was made, the tracker's clock is ahead. */
const toEarliestMs = ({ madeMs, seenAtMs }: PlacedFix): number =>
  madeMs > seenAtMs ? Math.floor(seenAtMs) - CLOCK_MS : madeMs;

/** A time that a fix is surely not after, whatever its tracker's clock says: when this server saw it. */
const toLatestMs = ({ madeMs, seenAtMs }: PlacedFix): number => Math.max(madeMs, Math.ceil(seenAtMs));

const latestOf = (fixes: readonly PlacedFix[]): number | null =>
  fixes.length === 0 ? null : Math.max(...fixes.map(toEarliestMs));
const earliestOf = (fixes: readonly PlacedFix[]): number | null =>
  fixes.length === 0 ? null : Math.min(...fixes.map(toLatestMs));

interface Doubts {
  marginM: number;
  /** The tracker's clock was wrong around the stay. */
  isClockDoubted: boolean;
  /** When fixes inside were seen, also those without a time of their own. */
  insideSeenMs: readonly number[];
}

const isFresh = ({ madeMs, seenAtMs }: Pick<PlacedFix, 'madeMs' | 'seenAtMs'>): boolean =>
  seenAtMs >= madeMs && seenAtMs - madeMs <= FRESH_MS;

/**
 * Between which fixes a truck came and left. A fix that is nearer to the edge than receivers are exact is no evidence of either
 * side, and a time holds also where the tracker's clock was wrong.
 */
const toIntervals = (
  fixes: readonly PlacedFix[],
  inside: readonly PlacedFix[],
  { arrivedAfterMs, leftByMs }: Stay,
  { marginM, isClockDoubted, insideSeenMs }: Doubts,
): Pick<Evidence, 'arrival' | 'departure'> => {
  // What was handed over later by a clock that is known to have been wrong says nothing of when it was made.
  const isDated = (fix: PlacedFix): boolean => !isClockDoubted || isFresh(fix);
  // Nor does one outside that was seen after another one inside had been, or before.
  const isContradicted = (fix: PlacedFix, fromMs: number, toMs: number): boolean =>
    (isClockDoubted || !isFresh(fix)) && insideSeenMs.some((ms) => ms > fromMs && ms < toMs);
  const surely = inside.filter(({ edgeM }) => edgeM <= -NEAR_M);
  const there = surely.length > 0 ? surely : inside;
  const before = fixes.findLast(
    (fix) =>
      arrivedAfterMs !== null &&
      fix.madeMs <= arrivedAfterMs &&
      fix.edgeM > NEAR_M &&
      isDated(fix) &&
      !isContradicted(fix, fix.seenAtMs - DOUBTED_MS, fix.seenAtMs),
  );
  const byMs = earliestOf(there)!;
  const leftMs = latestOf(there.filter(isDated));
  const gone = fixes.filter(
    (fix) =>
      leftByMs !== null &&
      fix.madeMs >= leftByMs &&
      fix.edgeM > Math.max(NEAR_M, marginM) &&
      toLatestMs(fix) >= Math.max(byMs, leftMs ?? byMs) &&
      !isContradicted(fix, fix.seenAtMs, fix.seenAtMs + DOUBTED_MS),
  );
  return {
    arrival: { afterMs: before ? Math.min(byMs, toEarliestMs(before)) : null, byMs },
    departure: { afterMs: leftMs, byMs: earliestOf(gone) },
  };
};

/**
 * When a truck was seen outside: by the time of the fix, and where that cannot be relied on, by when the fix was seen. The edge is
 * no evidence.
 */
const toOutsideMs = (
  fixes: readonly EvidenceFix[],
  shape: Site['shape'],
  isClockDoubted: boolean,
): number[] =>
  sorted(
    fixes
      .filter((fix) => signedDistanceM(shape, fix) > NEAR_M)
      .flatMap(({ fixAtMs, seenAtMs, isByReceipt }) => [
        ...(isByReceipt ? [] : [fixAtMs]),
        ...(isByReceipt || (isClockDoubted && !isFresh({ madeMs: fixAtMs, seenAtMs })) ? [seenAtMs] : []),
      ]),
  );

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

/** What the recorded fixes of a truck say of a stay, and what is billed by it; null: none of them is inside. */
export const toEvidence = (input: EvidenceInput): Evidence | null => {
  const { site, stay, coverage, terms, appointment } = input;
  const fixes: PlacedFix[] = input.fixes
    .filter(({ isByReceipt }) => !isByReceipt)
    .map((fix) => ({
      ...fix,
      madeMs: Math.floor(fix.fixAtMs / 1000) * 1000,
      edgeM: signedDistanceM(site.shape, fix),
    }));
  const inside = fixes.filter(
    ({ madeMs, edgeM }) => edgeM <= 0 && madeMs >= stay.arrivedMs && madeMs <= stay.leftMs,
  );
  const isClockDoubted = input.fixes.some(
    ({ isByReceipt, seenAtMs }) =>
      isByReceipt && seenAtMs > stay.arrivedMs - DOUBTED_MS && seenAtMs < stay.leftMs + DOUBTED_MS,
  );
  const usualMs = Math.max(
    LEAST_SILENCE_MS,
    USUAL_INTERVALS * (fixes.length < SOME_FIXES ? 0 : percentile(toSpans(fixes), 0.5)),
  );
  const runs = toRuns(inside, toOutsideMs(input.fixes, site.shape, isClockDoubted), usualMs);
  const sure = toSureStay(
    runs.map((run) => run.map(({ madeMs, seenAtMs }) => ({ fixMs: madeMs, seenMs: Math.ceil(seenAtMs) }))),
  );
  if (sure === null) return null;
  const { arrival, departure } = toIntervals(fixes, inside, stay, {
    ...{ marginM: site.marginM, isClockDoubted },
    insideSeenMs: input.fixes.flatMap((fix) => (signedDistanceM(site.shape, fix) <= 0 ? fix.seenAtMs : [])),
  });
  const seen = fixes.map((fix, i) => ({
    fixMs: fix.madeMs,
    isMoving: i > 0 && distanceM(fixes[i - 1]!, fix) > MOVED_M,
  }));
  const between = (interval: Interval): Part[] =>
    toBetween(interval, seen, coverage, usualMs).slice(0, MOST_PARTS);
  const toFix = toStatementFix(site.marginM);
  const way = fixes.filter(
    ({ madeMs }) =>
      madeMs >= (stay.arrivedAfterMs ?? stay.arrivedMs) - WAY_MS &&
      madeMs <= (stay.leftByMs ?? stay.leftMs) + WAY_MS,
  );
  return {
    ...{ arrival, departure, sure },
    between: { arrival: between(arrival), departure: between(departure) },
    billing: toBilling(sure, { arrival, departure }, terms, appointment),
    fixes: {
      arrival: pickAround(fixes, arrival).map(toFix),
      departure: pickAround(fixes, departure).map(toFix),
    },
    gaps: between({ afterMs: arrival.byMs, byMs: departure.afterMs }).filter(isGap),
    trail: thin(way).map(({ lat, lng }) => [toE5(lat), toE5(lng)] as [number, number]),
    quality: toQuality(fixes),
  };
};
