import { count, noQuality, type PackedSeconds, type UnitQuality } from '@/lib/reports/quality/unit-quality';
import type { QualityRow } from './quality';

/** The sums of several units or days. */
export type QualitySum = Omit<UnitQuality, 'key' | 'delays' | 'intervals'> & {
  units: Set<string>;
  delays: Map<number, number>;
  intervals: Map<number, number>;
};

export const createSum = (): QualitySum => {
  const { key: _, ...none } = noQuality('');
  return { ...none, units: new Set(), delays: new Map(), intervals: new Map() };
};

const SUMMED = [
  ...(['fixes', 'late', 'byReceipt', 'unwatched', 'judged', 'coarse'] as const),
  ...(['drivenM', 'missedM', 'unwatchedM'] as const),
];

const addPacked = (counts: Map<number, number>, packed: PackedSeconds): void => {
  for (let i = 0; i < packed.length; i += 2) count(counts, packed[i]!, packed[i + 1]!);
};

export const addQuality = (sum: QualitySum, unit: UnitQuality): void => {
  sum.units.add(unit.key);
  for (const name of SUMMED) sum[name] += unit[name];
  addPacked(sum.delays, unit.delays);
  addPacked(sum.intervals, unit.intervals);
  for (const list of ['flagged', 'raised'] as const)
    sum[list] = sum[list].map((value, bit) => value + unit[list][bit]!);
};

/** The least number of seconds that at least this share of the counted ones do not exceed; null where none is counted. */
const quantileOf = (counts: ReadonlyMap<number, number>, share: number): number | null => {
  let left = Math.ceil(share * countOf(counts));
  for (const [seconds, times] of [...counts].sort(([a], [b]) => a - b)) {
    left -= times;
    if (left <= 0) return seconds;
  }
  return null;
};

const countOf = (counts: ReadonlyMap<number, number>): number =>
  [...counts.values()].reduce((sum, times) => sum + times, 0);

const toQuantiles = (counts: ReadonlyMap<number, number>) => {
  const [p50S, p95S, p99S] = [0.5, 0.95, 0.99].map((share) => quantileOf(counts, share));
  return { fixes: countOf(counts), p50S: p50S!, p95S: p95S!, p99S: p99S! };
};

/** The figures of a sum. */
export const toQualityRow = (
  group: Pick<QualityRow, 'key' | 'name' | 'period'>,
  { units, delays, intervals, ...sum }: QualitySum,
): QualityRow => {
  let ahead = 0;
  for (const [seconds, times] of delays) if (seconds < 0) ahead += times;
  return {
    ...group,
    ...sum,
    units: units.size,
    delay: delays.size === 0 ? null : { leastS: Math.min(...delays.keys()), ...toQuantiles(delays) },
    ahead,
    interval: intervals.size === 0 ? null : toQuantiles(intervals),
  };
};
