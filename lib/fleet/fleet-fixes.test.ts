import { expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import { unitAt } from '@/testing/live/tracked-units';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { FleetTracker } from './fleet-tracker';

const setUp = (isRecorded = true) => {
  const tracker = new FleetTracker({ ...DEFAULT_LIVE_SETTINGS, isRecorded }, '9000001');
  let minute = 0;
  const takeChanges = () => tracker.takeChanges(tracker.copyRows());
  /** The number of new fixes in an answer of these units, a minute after the last one. */
  const countNew = (...units: TrackedUnit[]): number => {
    tracker.observe(units, null, START_MS + ++minute * MINUTE_MS);
    return takeChanges()?.fixes?.count ?? 0;
  };
  return { takeChanges, countNew };
};

test('each new fix is taken once, with late ones', () => {
  const { takeChanges, countNew } = setUp();
  expect(countNew(unitAt('A', 0, 0), unitAt('B', 1, 0))).toBe(2);
  expect(countNew(unitAt('A', 0, 0), unitAt('B', 1, 0))).toBe(0);
  expect(countNew(unitAt('A', 3, 900), unitAt('B', 1, 0))).toBe(1);
  expect(countNew(unitAt('A', 2, 600))).toBe(1);
  expect(takeChanges()).toBeNull();
});

test('a record without a position or a usable time is no fix', () => {
  const { countNew } = setUp();
  expect(countNew(unitAt('A', 0, 0, { position: null }), unitAt('B', 0, 0, { fixAtMs: null }))).toBe(0);
  expect(countNew(unitAt('A', 60, 0))).toBe(0);
});

test('nothing is collected where fleets are not recorded', () => {
  const { countNew } = setUp(false);
  expect(countNew(unitAt('A', 0, 0))).toBe(0);
});
