import { FLAGS } from '@/lib/motion/status';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import type { TimeRange } from '@/lib/base/time';
import { MADE, type CoverageInterval } from '@/lib/trips/coverage';
import type { RecordedFix } from '@/lib/trips/trail';
import { toDay, type Day } from '@/lib/trips/trips';

/** Seconds up to which each is counted by itself; longer ones are rounded up to full minutes. */
const EXACT_S = 600;

/** How often each number of seconds occurred: seconds and count by turns, ascending. */
export type PackedSeconds = number[];

/** What the fixes of a unit with their times in a range tell of its device and its provider. */
export interface UnitQuality {
  key: string;
  /** Recorded fixes, one of each time. */
  fixes: number;
  /** Of these, how many the map did not show at their time, because they were handed over later. */
  late: number;
  /** Of these, how many are dated by their receipt. Their delay is not known. */
  byReceipt: number;
  /** Of these, how many came after a time in which Linehaul did not watch. Their delay says nothing of the provider. */
  unwatched: number;
  /** From the time of each other fix until the answer with it came, s; below 0: its clock was ahead. */
  delays: PackedSeconds;
  /** Between two fixes in a row while it drove, s. */
  intervals: PackedSeconds;
  /** Straight lines between fixes while it moved, m. */
  drivenM: number;
  /** Straight lines over its silences, failures of its provider, and jumps, m. */
  missedM: number;
  /** Straight lines over times in which Linehaul did not watch, m. */
  unwatchedM: number;
  /** Fixes that came with a known state of the unit, and how many of these were coarse. */
  judged: number;
  coarse: number;
  /** Fixes that came while each flag of FLAGS was raised. */
  flagged: number[];
  /** How often each flag of FLAGS was raised. */
  raised: number[];
}

/** A recorded fix with what is known of its arrival. */
export interface SeenFix extends RecordedFix {
  /** When the answer with it came, whole Unix seconds. */
  seenS: number;
  isLate: boolean;
  /** The unit's flags and the error of its position, m, when it came; null: not known. */
  state: { flags: number; coarseM: number } | null;
}

interface QualityInput extends TimeRange {
  /** In order of time, from two hours before the range to half an hour after it. */
  fixes: readonly SeenFix[];
  coverage: readonly CoverageInterval[];
  nowMs: number;
}

const toCounted = (seconds: number): number => (seconds <= EXACT_S ? seconds : Math.ceil(seconds / 60) * 60);

/** Counts a number of seconds once, or as often as is given. */
export const count = (counts: Map<number, number>, seconds: number, times = 1): void => {
  counts.set(seconds, (counts.get(seconds) ?? 0) + times);
};

const pack = (counts: ReadonlyMap<number, number>): PackedSeconds =>
  [...counts].sort(([a], [b]) => a - b).flat();

/** Whether Linehaul itself is the reason that no answer was recorded; of `failing` the provider is. */
const isOwnOutage = (state: CoverageInterval['state'] | 'before'): boolean =>
  state === 'notRunning' || state === 'lost' || state === 'before';

const toOwnOutages = (coverage: readonly CoverageInterval[]): TimeRange[] => [
  { fromMs: -Infinity, toMs: coverage[0]?.fromMs ?? Infinity },
  ...coverage.filter(({ state, problem }) => isOwnOutage(state) || problem === MADE),
];

const countDelays = (
  fixes: readonly SeenFix[],
  coverage: readonly CoverageInterval[],
): Pick<UnitQuality, 'delays' | 'unwatched'> => {
  const outages = toOwnOutages(coverage);
  const delays = new Map<number, number>();
  let unwatched = 0;
  for (const { fixAtMs, seenS, isByReceipt } of fixes) {
    if (isByReceipt) continue;
    if (outages.some(({ fromMs, toMs }) => toMs > fixAtMs && fromMs < seenS * 1000)) unwatched++;
    else count(delays, toCounted(seenS - Math.floor(fixAtMs / 1000)));
  }
  return { delays: pack(delays), unwatched };
};

/** Between two fixes that the map would show, of which the later one is in the range, where the line between them was driven. */
const countIntervals = ({ trail, distances }: Day, { fromMs, toMs }: TimeRange): PackedSeconds => {
  const intervals = new Map<number, number>();
  for (const [i, { fixAtMs, link }] of trail.points.entries()) {
    const before = trail.points[i - 1];
    if (before === undefined || link !== 'seen' || fixAtMs < fromMs || fixAtMs >= toMs) continue;
    if (distances.driven({ fromMs: before.fixAtMs, toMs: fixAtMs }) > 0)
      count(intervals, toCounted(Math.round((fixAtMs - before.fixAtMs) / 1000)));
  }
  return pack(intervals);
};

const toTenth = (meters: number): number => Math.round(meters * 10) / 10;

const toMeters = ({ segments, distances, totals }: Day) => {
  let unwatchedM = 0;
  for (const segment of segments)
    if (segment.kind === 'notRecorded' && isOwnOutage(segment.reason.state))
      unwatchedM += distances.bridged(segment);
  return {
    drivenM: toTenth(totals.drivenM),
    missedM: toTenth(Math.max(0, totals.bridgedM - unwatchedM)),
    unwatchedM: toTenth(unwatchedM),
  };
};

/** The figures of a unit without any fix. */
export const noQuality = (key: string): UnitQuality => ({
  ...{ key, fixes: 0, late: 0, byReceipt: 0, unwatched: 0, delays: [], intervals: [] },
  ...{ drivenM: 0, missedM: 0, unwatchedM: 0, judged: 0, coarse: 0 },
  flagged: FLAGS.map(() => 0),
  raised: FLAGS.map(() => 0),
});

/** What the fixes of a unit in a range tell; how often flags were raised they do not. */
export const toUnitQuality = (key: string, { fixes, ...input }: QualityInput): UnitQuality => {
  const { coverage, fromMs, toMs } = input;
  const own = fixes.filter(({ fixAtMs }) => fixAtMs >= fromMs && fixAtMs < toMs);
  const day = toDay({ ...input, fixes }, DEFAULT_MOTION_SETTINGS);
  const states = own.flatMap(({ state }) => (state === null ? [] : [state]));
  return {
    ...noQuality(key),
    fixes: own.length,
    late: own.filter(({ isLate }) => isLate).length,
    byReceipt: own.filter(({ isByReceipt }) => isByReceipt).length,
    ...countDelays(own, coverage),
    intervals: countIntervals(day, input),
    ...toMeters(day),
    judged: states.length,
    coarse: states.filter(({ coarseM }) => coarseM > 0).length,
    flagged: FLAGS.map((_, bit) => states.filter(({ flags }) => (flags >> bit) & 1).length),
  };
};
