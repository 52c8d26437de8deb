import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveStatus, toNextStatusMs } from './derive';
import { NO_MOTION } from './motion-state';
import { observeFix } from './observe';
import { DEFAULT_MOTION_SETTINGS as settings } from './settings';
import { START_MS } from '@/testing/motion/fixes';
import { newestOf } from './track';
import { startStopwatch } from '@/testing/processor-time';
import { HOUR_MS } from '@/lib/base/time';

/**
 * Coordinates anywhere, or near one another, fine or rounded; times in any order, and some that are
 * impossible.
 */
const position = fc.record({
  lat: fc.oneof(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: 35, max: 35.02, noNaN: true }),
    fc.integer({ min: 3500, max: 3503 }).map((hundredths) => hundredths / 100),
  ),
  lng: fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.double({ min: -101.01, max: -101, noNaN: true }),
    fc.constantFrom(180, -180, -101, -101.5),
  ),
  fixAtMs: fc.oneof(
    fc.integer({ min: START_MS, max: START_MS + 2 * HOUR_MS }),
    fc.integer({ min: START_MS, max: START_MS + 60_000 }),
    fc.constantFrom(null, 0, START_MS + 900 * HOUR_MS),
  ),
});

/** Steps of a unit that drives, stands and wanders, so that statuses other than unknown are common. */
const steps = fc.array(
  fc.record({ northM: fc.integer({ min: -300, max: 2500 }), afterS: fc.integer({ min: 1, max: 900 }) }),
  { maxLength: 80 },
);

const check = (positions: readonly { lat: number; lng: number; fixAtMs: number | null }[]): void => {
  let state = NO_MOTION;
  for (const each of positions) {
    const nowMs = Math.max(START_MS, Math.min(each.fixAtMs ?? START_MS, START_MS + 200 * HOUR_MS));
    state = observeFix(state, each, nowMs, settings);
    expect(observeFix(state, each, nowMs, settings)).toBe(state);
    const derived = deriveStatus(state, nowMs, { isListed: true, sinceMs: START_MS }, settings);
    const { status, speedKph, headingDeg, evidence, datedAfterMs, coarseM, sinceMs } = derived;
    if (status === 'moving') {
      expect(speedKph).toBeGreaterThanOrEqual(settings.keepMovingKph);
      expect(speedKph).toBeLessThanOrEqual(settings.impossibleKph);
      expect(headingDeg).toBeGreaterThanOrEqual(0);
      expect(headingDeg).toBeLessThan(360);
    }
    if (status === 'stopped') {
      expect(evidence.fixes).toBeGreaterThan(1);
      expect(evidence.spanMs).toBeGreaterThanOrEqual(settings.settleMs);
      expect([speedKph, headingDeg]).toEqual([null, null]);
    }
    for (const number of [evidence.distanceM, evidence.spanMs, evidence.fixes, datedAfterMs, coarseM]) {
      expect(Number.isFinite(number) && number >= 0).toBe(true);
    }
    expect(datedAfterMs).toBeLessThanOrEqual(settings.datedAtMostMs);
    expect(sinceMs === null || Number.isFinite(sinceMs)).toBe(true);
    expect(toNextStatusMs(state, nowMs, { isListed: true, sinceMs: START_MS }, settings)).toBeGreaterThan(
      nowMs,
    );
  }
  expect(state.track.every((number) => Number.isFinite(number))).toBe(true);
};

test('any positions at any times give speeds from 3 to 180 km/h, headings below 360° and finite numbers', () => {
  fc.assert(fc.property(fc.array(position, { maxLength: 40 }), check), { numRuns: 300 });
});

test('so does any drive, at any pace of reports, with coordinates of any number of decimals', () => {
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 7 }), (list, decimals) => {
      let [northM, atMs] = [0, START_MS];
      check(
        list.map((step) => {
          northM += step.northM;
          atMs += step.afterS * 1000;
          return { lat: Number((35.00417 + northM / 111_195).toFixed(decimals)), lng: -101.5, fixAtMs: atMs };
        }),
      );
    }),
    { numRuns: 300 },
  );
});

test('a fix takes well below a tenth of a millisecond, however long the unit has stood', () => {
  let state = NO_MOTION;
  const readMs = startStopwatch();
  for (let i = 0; i < 20_000; i++) {
    const fix = { lat: 35.00417 + (i % 7) * 1e-4, lng: -101.5, fixAtMs: START_MS + i * 10_000 };
    state = observeFix(state, fix, fix.fixAtMs, settings);
  }
  expect(readMs() / 20_000).toBeLessThan(0.1);
  expect(newestOf(state.track)?.fixAtMs).toBe(START_MS + 19_999 * 10_000);
  expect(state.phase).toBe('stopped');
});
