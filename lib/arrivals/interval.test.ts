import { expect, it } from 'vitest';
import { toBetween, toDwell } from './interval';

const MIN = 60_000;
const VISIT = { arrivedAfterMs: 10 * MIN, arrivedMs: 14 * MIN, leftMs: 80 * MIN, leftByMs: 95 * MIN };

it('a dwell is from the first fix inside to the last one inside at least, and between the fixes outside at most', () => {
  expect(toDwell(VISIT)).toEqual({ leastMs: 66 * MIN, mostMs: 85 * MIN });
  expect(toDwell({ ...VISIT, arrivedAfterMs: null })).toEqual({ leastMs: 66 * MIN, mostMs: null });
  expect(toDwell({ ...VISIT, leftByMs: null })).toEqual({ leastMs: 66 * MIN, mostMs: null });
  expect(toDwell({ ...VISIT, leftMs: null, leftByMs: null }, 60 * MIN)).toEqual({
    leastMs: 46 * MIN,
    mostMs: null,
  });
  expect(toDwell({ ...VISIT, leftMs: 13 * MIN })).toEqual({ leastMs: 0, mostMs: 85 * MIN });
});

it('what lies between two fixes is moving, standing, silence, or what could not be recorded', () => {
  const interval = { afterMs: 0, byMs: 60 * MIN };
  const fixes = [
    { fixMs: 0, isMoving: false },
    { fixMs: 5 * MIN, isMoving: true },
    { fixMs: 60 * MIN, isMoving: true },
  ];
  const coverage = [
    { fromMs: -9 * MIN, toMs: 20 * MIN, state: 'answered' },
    { fromMs: 20 * MIN, toMs: 30 * MIN, state: 'notRunning' },
    { fromMs: 30 * MIN, toMs: 90 * MIN, state: 'answered' },
  ];
  expect(toBetween(interval, fixes, coverage, 10 * MIN)).toEqual([
    { fromMs: 0, toMs: 5 * MIN, why: 'moving' },
    { fromMs: 5 * MIN, toMs: 20 * MIN, why: 'silent' },
    { fromMs: 20 * MIN, toMs: 30 * MIN, why: 'notRunning' },
    { fromMs: 30 * MIN, toMs: 60 * MIN, why: 'silent' },
  ]);
  expect(toBetween({ afterMs: null, byMs: 1 }, fixes, coverage, MIN)).toEqual([]);
});
