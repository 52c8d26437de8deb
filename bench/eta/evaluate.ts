import { Arrivals, type Estimate } from '@/lib/arrivals/arrivals';
import { toDuties, type Duty } from '@/lib/arrivals/duty';
import { findWayWithout } from '@/lib/arrivals/find-way';
import { LEADS_MS } from '@/lib/arrivals/grades';
import { STANDING_M, type RoadFix } from '@/lib/arrivals/drives';
import { distanceM } from '@/lib/geo/geodesy';
import { MINUTE_MS } from '@/lib/base/time';
import { getOrMake } from '@/lib/base/maps';
import type { EtaRecording, Journey } from './journeys';

/** What finds the way: all that a fleet knows, or one of the two baselines. */
export type Method = 'linehaul' | 'interstates' | 'line';

/** Windows of one lead time, as they were shown, against what happened. */
export interface LeadResult {
  leadMs: number;
  shown: number;
  held: number;
  widthsMin: number[];
  /** Meters of the way left that was expected, to those that were driven. */
  distanceRatios: number[];
  by: Map<string, number>;
}

/** Fixes of a device come so often; a window does not widen before. */
const RHYTHM_MS = 2 * MINUTE_MS;

const makeResult = (leadMs: number): LeadResult => ({
  leadMs,
  shown: 0,
  held: 0,
  widthsMin: [],
  distanceRatios: [],
  by: new Map(),
});

const sumMeters = (fixes: readonly RoadFix[]): number =>
  fixes.slice(1).reduce((sum, fix, i) => sum + distanceM(fixes[i]!, fix), 0);

interface Moment {
  atMs: number;
  /** null: the arrival. */
  leadMs: number | null;
  journey: Journey;
}

/**
 * Goes through journeys in the order of time as a fleet lives them: shows a window at each lead time, grades it when the
 * truck arrives, and, where `isLearning`, learns the way.
 */
const live = (
  arrivals: Arrivals,
  method: Method,
  journeys: readonly Journey[],
  isLearning: boolean,
): Map<number, LeadResult> => {
  const results = new Map<number, LeadResult>();
  const shown = new Map<Journey, { estimate: Estimate; fromMs: number; toMs: number }[]>();
  const duties = new Map<Journey, Duty[]>();
  const moments = journeys
    .flatMap((journey): Moment[] => [
      ...LEADS_MS.map((leadMs) => ({ atMs: journey.arrivedMs - leadMs, leadMs, journey })),
      { atMs: journey.arrivedMs, leadMs: null, journey },
    ])
    .sort((a, b) => a.atMs - b.atMs);
  for (const { atMs, leadMs, journey } of moments) {
    const { fixes, to, arrivedMs, before } = journey;
    if (leadMs === null) {
      for (const { estimate, fromMs, toMs } of shown.get(journey) ?? []) {
        const was = arrivedMs < fromMs ? 'before' : arrivedMs > toMs ? 'after' : 'within';
        arrivals.grades.add({ ...estimate, actualMs: arrivedMs - estimate.fixAtMs, was });
      }
      if (isLearning) {
        arrivals.learn(fixes);
        arrivals.learnArrival(to.key, fixes);
      }
      continue;
    }
    const i = fixes.findLastIndex(({ fixAtMs }) => fixAtMs <= atMs);
    if (i < 0 || i === fixes.length - 1) continue;
    const fix = fixes[i]!;
    const known = duties.get(journey) ?? toDuties([...before, ...fixes]).slice(before.length);
    duties.set(journey, known);
    const isStanding = i > 0 && distanceM(fixes[i - 1]!, fix) < STANDING_M;
    const estimate =
      method === 'linehaul'
        ? arrivals.estimate({ ...fix, isStanding }, to, known[i]!)
        : toBaseline(method, fix, to);
    const { fromMs, toMs } = arrivals.window(estimate, atMs, RHYTHM_MS);
    const isHeld = arrivedMs >= fromMs && arrivedMs <= toMs;
    shown.set(journey, [...(shown.get(journey) ?? []), { estimate, fromMs, toMs }]);
    const result = getOrMake(results, leadMs, () => makeResult(leadMs));
    result.shown += 1;
    if (isHeld) result.held += 1;
    result.widthsMin.push((toMs - fromMs) / MINUTE_MS);
    const drivenM = sumMeters(fixes.slice(i));
    if (drivenM > 0) result.distanceRatios.push(estimate.distM / drivenM);
    result.by.set(estimate.by, (result.by.get(estimate.by) ?? 0) + 1);
  }
  return results;
};

const toBaseline = (method: 'interstates' | 'line', fix: RoadFix, to: Journey['to']): Estimate => {
  const way = findWayWithout(method, fix, to);
  return {
    by: way.by,
    isStanding: false,
    stops: 0,
    distM: way.distM,
    expectedMs: way.driveMs,
    fixAtMs: fix.fixAtMs,
  };
};

/** Learns from the part of a recording that is not held out, and shows windows for the rest. */
export const evaluate = (recording: EtaRecording, method: Method): LeadResult[] => {
  const arrivals = new Arrivals();
  if (method === 'linehaul') for (const fixes of recording.learned) arrivals.learn(fixes);
  const learned = recording.journeys.filter(({ isHeldOut }) => !isHeldOut);
  live(arrivals, method, learned, method === 'linehaul');
  const results = live(
    arrivals,
    method,
    recording.journeys.filter(({ isHeldOut }) => isHeldOut),
    false,
  );
  return [...results.values()].sort((a, b) => a.leadMs - b.leadMs);
};
