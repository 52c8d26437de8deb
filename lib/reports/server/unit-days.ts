import 'server-only';
import { toDay } from '@/lib/trips/trips';
import type { RecordedFix } from '@/lib/trips/trail';
import type { UnitDay } from '../reports';
import type { CoverageInterval } from '@/lib/trips/coverage';
import type { StateIndex } from '../states/state-index';
import { toStateMeters } from '../states/state-miles';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';

/** Units and their fixes of a day: from LEAD_MS before it to half an hour after it, by unit, time, and time seen. */
export interface ReportJob {
  units: readonly string[];
  counts: readonly number[];
  /** The time of each fix, Unix ms, its latitude and longitude in degrees times 100,000, and 1 if it is dated by its receipt. */
  columns: readonly Float64Array<ArrayBuffer>[];
  coverage: readonly CoverageInterval[];
  fromMs: number;
  toMs: number;
  nowMs: number;
}

const toTenth = (meters: number): number => Math.round(meters * 10) / 10;

const toFixes = ({ columns }: ReportJob, fromRow: number, toRow: number): RecordedFix[] => {
  const [times, lats, lngs, receipts] = columns as [Float64Array, Float64Array, Float64Array, Float64Array];
  const fixes: RecordedFix[] = [];
  for (let row = fromRow; row < toRow; row++) {
    // Of two with one time, the one that was seen first.
    if (row > fromRow && times[row] === times[row - 1]) continue;
    fixes.push({
      fixAtMs: times[row]!,
      lat: lats[row]! / 1e5,
      lng: lngs[row]! / 1e5,
      isByReceipt: receipts[row] === 1,
    });
  }
  return fixes;
};

/** A unit's day with the figures of its page, named by its key. */
const toUnitDay = (
  key: string,
  fixes: readonly RecordedFix[],
  job: ReportJob,
  states: StateIndex,
): UnitDay => {
  const { coverage, fromMs, toMs, nowMs } = job;
  const day = toDay({ fixes, coverage, fromMs, toMs, nowMs }, DEFAULT_MOTION_SETTINGS);
  const moving = day.segments.filter(({ kind }) => kind === 'moving');
  const meters = toStateMeters(day, { fromMs, toMs: day.endMs }, states);
  const { movingMs, stoppedMs, silentMs, notRecordedMs, stops, drivenM, bridgedM } = day.totals;
  return {
    ...{ key, name: key, firstMs: moving[0]?.fromMs ?? null, lastMs: moving.at(-1)?.toMs ?? null },
    ...{ movingMs, stoppedMs, silentMs, notRecordedMs, stops },
    ...{ drivenM: toTenth(drivenM), bridgedM: toTenth(bridgedM) },
    states: [...meters].map(([state, each]) => ({
      state: states.codes[state]!,
      drivenM: toTenth(each.drivenM),
      bridgedM: toTenth(each.bridgedM),
    })),
  };
};

/** The day of each unit that was seen before its end. */
export const toUnitDays = (job: ReportJob, states: StateIndex): UnitDay[] => {
  let row = 0;
  return job.units.flatMap((key, i) => {
    const fixes = toFixes(job, row, (row += job.counts[i]!));
    return (fixes[0]?.fixAtMs ?? Infinity) < job.toMs ? [toUnitDay(key, fixes, job, states)] : [];
  });
};
