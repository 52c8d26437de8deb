import { HOUR_MS, MINUTE_MS, type TimeRange } from '@/lib/base/time';
import type { LatLng } from '@/lib/geo/units';
import { RESTED, toRestsMs } from './duty';
import { findWayWithout } from './find-way';
import { UNGRADED_FACTORS } from './grades';
import { toVerdict, type JudgedLoad, type PlannedStop, type Verdict } from './load';

/** How long trucks stay at a stop: nine of ten for longer than `lowMs`, and nine of ten for shorter than `highMs`. */
export interface Dwell {
  lowMs: number;
  highMs: number;
}

/** How long trucks stay where it is not known: an assumption, wide on purpose. */
const ASSUMED_DWELL: Dwell = { lowMs: 20 * MINUTE_MS, highMs: 3 * HOUR_MS };
/** A truck that has been there for longer may stay for so long again. */
const STAYS_ON_MS = HOUR_MS;

/** What can be said of a stop after the next one. */
export interface LaterStop {
  /** Null: nothing is known of the stop before it. */
  window: TimeRange | null;
  verdict: Verdict;
}

/** A stop with where it is, and how long trucks usually stay there; null: not known. */
export interface ChainedStop extends PlannedStop, LatLng {
  dwell: Dwell | null;
}

/** When a truck leaves a stop that it arrives at within a window; it waits for its appointment to begin. */
const toLeaving = (
  arrival: TimeRange,
  { appointment, dwell }: ChainedStop,
  thereAtMs: number | null,
): TimeRange => {
  const { lowMs, highMs } = dwell ?? ASSUMED_DWELL;
  const beginMs = appointment?.fromMs ?? -Infinity;
  const fromMs = Math.max(arrival.fromMs, beginMs) + lowMs;
  const toMs = Math.max(arrival.toMs, beginMs) + highMs;
  if (thereAtMs === null) return { fromMs, toMs };
  return { fromMs: Math.max(fromMs, thereAtMs), toMs: Math.max(toMs, thereAtMs + STAYS_ON_MS) };
};

/** When a truck that leaves a stop arrives at the next one, by the interstates and with the rests of one driver. */
const toArriving = (leaving: TimeRange, from: LatLng, to: LatLng): TimeRange => {
  const { driveMs } = findWayWithout('interstates', from, to);
  const { low, high } = UNGRADED_FACTORS;
  return {
    fromMs: Math.round(leaving.fromMs + low * driveMs),
    toMs: Math.round(leaving.toMs + high * driveMs + toRestsMs(driveMs, RESTED)),
  };
};

/**
 * Windows and verdicts of the stops after the next one, from the window of the next stop or the visit that lasts there; null
 * for the others. No window begins or ends before the one of the stop before it.
 */
export const judgeLaterStops = (
  stops: readonly ChainedStop[],
  { next, stops: judged }: Pick<JudgedLoad, 'next' | 'stops'>,
  window: TimeRange | null,
  nowMs: number,
): (LaterStop | null)[] => {
  if (next === null) return stops.map(() => null);
  const visit = judged[next]!.visit;
  let arrival: TimeRange | null = visit ? { fromMs: visit.arrivedMs, toMs: visit.arrivedMs } : window;
  return stops.map((stop, i) => {
    if (i <= next) return null;
    const before = stops[i - 1]!;
    if (arrival !== null)
      arrival = toArriving(
        toLeaving(arrival, before, visit !== null && i === next + 1 ? nowMs : null),
        before,
        stop,
      );
    return { window: arrival, verdict: toVerdict(stop, null, arrival, nowMs) };
  });
};
