import { clipSure, joinSure } from '@/lib/arrivals/sure';
import { toBetween, type Covered, type Interval, type Part } from '@/lib/arrivals/interval';
import { MINUTE_MS } from '@/lib/base/time';
import { distanceM } from '@/lib/geo/geodesy';
import { signedDistanceM } from '@/lib/rules/geofence';
import type { Site } from '@/lib/rules/site';
import {
  CLOCK_MS,
  DOUBTED_MS,
  LIVE_MS,
  NEAR_M,
  isClockDoubted,
  isFresh,
  toInsideFixes,
  toPlaced,
  toSpans,
  toSureVisit,
  toUsualMs,
  type EvidenceFix,
  type PlacedFix,
  type StayTimes,
} from '@/lib/rules/sure-stay';
import type { DetentionStatement, StatementFix } from './kinds/detention-statement';
import { toBilling, type Earlier, type Terms } from './terms';

/** A stay that has ended, Unix ms. */
export interface Stay {
  arrivedAfterMs: number | null;
  arrivedMs: number;
  leftMs: number;
  leftByMs: number | null;
}

export interface EvidenceInput {
  /** In the order of their times, from before the arrival to after the departure. */
  fixes: readonly EvidenceFix[];
  site: Pick<Site, 'shape' | 'marginM'>;
  stay: Stay;
  /** The visits that the stay is of; absent: it is one. */
  visits?: readonly StayTimes[];
  coverage: readonly Covered[];
  terms: Terms;
  appointment: { fromMs: number; toMs: number } | null;
  /** What other trucks at the same stop have used of its free time; absent: nothing. */
  earlier?: Earlier | undefined;
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
/** Fixes farther apart show a truck that moves. */
const MOVED_M = 150;
const SOME_FIXES = 3;

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

const sorted = (values: number[]): number[] => values.sort((a, b) => a - b);

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

/** What the recorded fixes of a truck say of a stay, and what is billed by it; null: none of them is inside. */
export const toEvidence = (input: EvidenceInput): Evidence | null => {
  const { site, stay, coverage, terms, appointment, visits = [stay] } = input;
  const parts = visits.flatMap((visit) => {
    const ended = { ...visit, leftMs: visit.leftMs ?? stay.leftMs };
    return toSureVisit(input.fixes, site.shape, ended) ?? [];
  });
  const joined = joinSure(parts);
  const fixes = toPlaced(input.fixes, site.shape);
  const inside = toInsideFixes(fixes, stay);
  if (joined === null || inside.length === 0) return null;
  const lastMs = Math.max(...visits.map(({ leftMs }) => leftMs ?? Infinity));
  // What was seen of it after the load had gone on with another truck does not count.
  const sure = clipSure(joined, {
    fromMs: stay.arrivedMs,
    toMs: lastMs > stay.leftMs ? stay.leftMs : Infinity,
  });
  const usualMs = toUsualMs(fixes);
  const { arrival, departure } = toIntervals(fixes, inside, stay, {
    ...{ marginM: site.marginM, isClockDoubted: isClockDoubted(input.fixes, stay) },
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
    billing: toBilling(sure, { arrival, departure }, terms, appointment, input.earlier),
    fixes: {
      arrival: pickAround(fixes, arrival).map(toFix),
      departure: pickAround(fixes, departure).map(toFix),
    },
    gaps: between({ afterMs: arrival.byMs, byMs: departure.afterMs }).filter(isGap),
    trail: thin(way).map(({ lat, lng }) => [toE5(lat), toE5(lng)] as [number, number]),
    quality: toQuality(fixes),
  };
};
