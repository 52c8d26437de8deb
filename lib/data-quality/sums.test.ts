import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { FLAGS } from '@/lib/motion/status';
import { MADE, type CoverageInterval } from '@/lib/trips/coverage';
import { FROZEN_BIT, coveredOf } from './quality';
import { joinFigures, toFigures } from './text';
import { toUnitQuality, type SeenFix } from '@/lib/reports/quality/unit-quality';
import { addQuality, createSum, toQualityRow } from './sums';

const FROM_MS = Date.parse('2026-11-16T12:00:00Z');
const TO_MS = FROM_MS + 4 * HOUR_MS;

/** A fix so many minutes after the beginning, at so many km north, that comes after so many seconds. */
const fixOf = (minute: number, km: number, delayS = 20, more: Partial<SeenFix> = {}): SeenFix => {
  const fixAtMs = FROM_MS + minute * MINUTE_MS;
  return {
    ...{ fixAtMs, lat: 35 + km / 111.195, lng: -101, isByReceipt: false, isLate: false },
    ...{ seenS: fixAtMs / 1000 + delayS, state: { flags: 0, coarseM: 0 } },
    ...more,
  };
};

const WATCHED: CoverageInterval[] = [
  { fromMs: FROM_MS - HOUR_MS, toMs: TO_MS, state: 'answered', problem: null },
];

const measure = (fixes: readonly SeenFix[], coverage = WATCHED) =>
  toUnitQuality('A', { fixes, coverage, fromMs: FROM_MS, toMs: TO_MS, nowMs: TO_MS });

const rowOf = (...units: ReturnType<typeof measure>[]) => {
  const sum = createSum();
  for (const unit of units) addQuality(sum, unit);
  return toQualityRow({ key: 'a', name: 'a', period: '2026-11-16' }, sum);
};

/** Two hours at 60 km/h with a fix each minute. */
const DRIVE = Array.from({ length: 120 }, (_, i) => fixOf(i, i, 10 + (i % 20)));

it('has the delays, the intervals and the miles of a drive', () => {
  const row = rowOf(measure(DRIVE));
  expect(row.delay).toEqual({ fixes: 120, leastS: 10, p50S: 19, p95S: 28, p99S: 29 });
  expect(row.interval).toEqual({ fixes: 119, p50S: 60, p95S: 60, p99S: 60 });
  expect(row.drivenM / 1000).toBeCloseTo(119, 0);
  expect(coveredOf(row)).toBe(1);
});

it('a gap in the fixes is missed, unless Linehaul did not watch', () => {
  const gapped = DRIVE.filter((_, i) => i < 30 || i >= 60);
  const missed = rowOf(measure(gapped));
  expect(missed.missedM / 1000).toBeCloseTo(31, 0);
  expect(coveredOf(missed)).toBeCloseTo(88 / 119, 2);
  const outage = { fromMs: FROM_MS + 29.5 * MINUTE_MS, toMs: FROM_MS + 59.9 * MINUTE_MS };
  const coverageOf = (state: 'failing' | 'notRunning'): CoverageInterval[] => [
    { ...WATCHED[0]!, toMs: outage.fromMs },
    { ...outage, state, problem: null },
    { ...WATCHED[0]!, fromMs: outage.toMs },
  ];
  const own = rowOf(measure(gapped, coverageOf('notRunning')));
  expect(own.unwatchedM / 1000).toBeCloseTo(31, 0);
  expect(own.missedM).toBe(0);
  // The provider's own failure is its own.
  expect(rowOf(measure(gapped, coverageOf('failing'))).missedM / 1000).toBeCloseTo(31, 0);
});

it('a delay over a time in which Linehaul did not watch is not judged, nor one of fixes that were made later', () => {
  const late = fixOf(10, 10, 3000);
  const outage = { fromMs: FROM_MS + 20 * MINUTE_MS, toMs: FROM_MS + 40 * MINUTE_MS };
  const coverage: CoverageInterval[] = [
    { ...WATCHED[0]!, toMs: outage.fromMs },
    { ...outage, state: 'notRunning', problem: null },
    { ...WATCHED[0]!, fromMs: outage.toMs },
  ];
  expect(measure([late], coverage)).toMatchObject({ fixes: 1, unwatched: 1, delays: [] });
  expect(measure([late])).toMatchObject({ unwatched: 0, delays: [3000, 1] });
  expect(measure([late], [{ ...WATCHED[0]!, problem: MADE }])).toMatchObject({ unwatched: 1, delays: [] });
  // Before the recording began.
  expect(measure([late], [{ ...WATCHED[0]!, fromMs: late.fixAtMs + 1 }])).toMatchObject({ unwatched: 1 });
});

it('times that cannot be trusted, and clocks that are ahead, are counted', () => {
  const fixes = [fixOf(0, 0, -5), fixOf(1, 0, 0, { isByReceipt: true }), fixOf(2, 0, 4, { isLate: true })];
  const row = rowOf(measure(fixes));
  expect(row).toMatchObject({ fixes: 3, byReceipt: 1, late: 1, ahead: 1 });
  expect(row.delay).toMatchObject({ fixes: 2, leastS: -5, p50S: -5, p99S: 4 });
});

it('counts the fixes that came with a flag, and coarse ones, of those whose state is known', () => {
  const flags = 1 << FROZEN_BIT;
  const fixes = [
    ...[fixOf(0, 0), fixOf(1, 0, 20, { state: { flags, coarseM: 0 } })],
    ...[fixOf(2, 0, 20, { state: { flags: 0, coarseM: 800 } }), fixOf(3, 0, 20, { state: null })],
  ];
  const row = rowOf(measure(fixes));
  expect(row).toMatchObject({ fixes: 4, judged: 3, coarse: 1 });
  expect(row.flagged).toEqual(FLAGS.map((flag) => (flag === 'frozenPosition' ? 1 : 0)));
});

it('the figures of two rows are beside each other, each with from how much it is', () => {
  const [good, bad] = [rowOf(measure(DRIVE)), rowOf(measure(DRIVE.filter((_, i) => i % 5 === 0)))];
  expect(toFigures(good).slice(0, 2)).toEqual([
    { label: 'Fix to sight, half within', value: '19 s', of: 'of 120 fixes' },
    { label: 'Fix to sight, 95% within', value: '28 s', of: 'of 120 fixes' },
  ]);
  const raised = { ...bad, raised: FLAGS.map((flag) => (flag === 'impossibleJump' ? 2 : 0)) };
  const joined = joinFigures(good, raised);
  const jump = joined.find(({ label }) => label === 'Jumped');
  expect(jump?.cells).toEqual([null, { label: 'Jumped', value: '2×', of: '0 of 24 fixes' }]);
  expect(joined.at(-1)?.label).toContain('did not watch');
  expect(joined.every(({ cells }) => cells.length === 2)).toBe(true);
});
