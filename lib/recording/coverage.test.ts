import { expect, it } from 'vitest';
import { MOST_FAILING_MS, extendCoverage, withOpenFailure, withUnreadable } from './coverage';
import type { CoverageInterval } from '@/lib/trips/coverage';

const GAP_MS = 60_000;
const ANSWERED: CoverageInterval = { fromMs: 1000, toMs: 5000, state: 'answered', problem: null };
const FAILING: CoverageInterval = { fromMs: 1000, toMs: 5000, state: 'failing', problem: 'http' };
const extend = (last: CoverageInterval | null, atMs: number, state = 'answered', isFirst = false) =>
  extendCoverage(
    last,
    { atMs, state: state as 'answered', problem: state === 'answered' ? null : 'http' },
    { gapMs: GAP_MS, isFirst },
  );

it('begins with the first poll, and grows with each that has the same outcome', () => {
  expect(extend(null, 5000)).toEqual([{ ...ANSWERED, fromMs: 5000 }]);
  expect(extend(ANSWERED, 9000)).toEqual([{ ...ANSWERED, toMs: 9000 }]);
  expect(extend(ANSWERED, 5000 + GAP_MS, 'answered', true)).toEqual([{ ...ANSWERED, toMs: 5000 + GAP_MS }]);
});

it('continues without a gap where the outcome changes', () => {
  expect(extend(ANSWERED, 9000, 'failing')).toEqual([{ ...FAILING, fromMs: 5000, toMs: 9000 }]);
});

it('fails until the next answer, however long the provider asks to wait', () => {
  const answerMs = 5000 + 330_000;
  expect(extend(FAILING, answerMs)).toEqual([
    { ...FAILING, toMs: answerMs },
    { ...ANSWERED, fromMs: answerMs, toMs: answerMs },
  ]);
});

it('goes on failing while no answer has come', () => {
  const untilMs = 5000 + 330_000;
  expect(withOpenFailure([ANSWERED, { ...FAILING, fromMs: 5000 }], untilMs)).toEqual([
    ANSWERED,
    { ...FAILING, fromMs: 5000, toMs: untilMs },
  ]);
  // Longer than any wait: the server was stopped meanwhile.
  expect(withOpenFailure([FAILING], 1e9).at(-1)!.toMs).toBe(5000 + MOST_FAILING_MS);
  expect(withOpenFailure([FAILING, ANSWERED], untilMs)).toEqual([FAILING, ANSWERED]);
});

it('has a gap where nothing polled, but not where a failing provider is polled seldom', () => {
  const atMs = 5001 + GAP_MS;
  const gap = { fromMs: 5000, toMs: atMs, state: 'notRunning', problem: null };
  const started = { ...ANSWERED, fromMs: atMs, toMs: atMs };
  expect(extend(ANSWERED, atMs)).toEqual([gap, started]);
  expect(extend(FAILING, atMs, 'answered', true)).toEqual([gap, started]);
  expect(extend(FAILING, atMs, 'failing')).toEqual([{ ...FAILING, toMs: atMs }]);
});

it('starts over where the clock was set back', () => {
  expect(extend(ANSWERED, 3000)).toEqual([{ ...ANSWERED, fromMs: 3000, toMs: 3000 }]);
});

it('has the times of files that cannot be read as lost', () => {
  const lost = (fromMs: number, toMs: number) => ({ fromMs, toMs, state: 'lost', problem: 'file' });
  const failing = { ...FAILING, fromMs: 5000, toMs: 7000 };
  const files = [
    { fromMs: 0, toMs: 2000 },
    { fromMs: 3000, toMs: 4000 },
    { fromMs: 3500, toMs: 6000 },
  ];
  expect(withUnreadable([ANSWERED, failing], files)).toEqual([
    lost(1000, 2000),
    { ...ANSWERED, fromMs: 2000, toMs: 3000 },
    lost(3000, 4000),
    lost(4000, 5000),
    failing,
  ]);
  expect(withUnreadable([{ ...ANSWERED, toMs: 1000 }], [])).toEqual([{ ...ANSWERED, toMs: 1000 }]);
});
