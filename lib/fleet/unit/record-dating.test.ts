import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS, fixAt } from '@/testing/motion/fixes';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { REASONS, STATUSES, toFlags } from '@/lib/motion/status';
import { FleetTracker } from '../fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from '../settings';
import { unitAt } from '@/testing/live/tracked-units';
import { createHistory, createHistoryRules, appendRecord } from './unit-history';

const HOUR_MS = 60 * MINUTE_MS;
const SPEED_M = 1000;

/** A truck that drives north at 1 km a minute, its time shifted by `shiftMs`. */
const drivingAt = (minutes: number, shiftMs = 0): TrackedUnit => {
  const unit = unitAt('A', minutes, minutes * SPEED_M);
  return { ...unit, fixAtMs: unit.fixAtMs! + shiftMs };
};

const setUp = () => {
  const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, '9000001');
  const observe = (minutes: number, unit: TrackedUnit): void =>
    tracker.observe([unit], null, START_MS + minutes * MINUTE_MS);
  const see = () => {
    const { columns } = tracker.copyRows();
    return {
      lat: columns.latE5[0]! / 1e5,
      fixAtMs: columns.fixAtS[0]! * 1000,
      status: STATUSES[columns.status[0]!],
      reason: REASONS[columns.reason[0]!],
      flags: toFlags(columns.flags[0]!),
    };
  };
  /** Drives from minute to minute, with a report each half minute. */
  const drive = (from: number, to: number, shiftMs = 0): void => {
    for (let minutes = from; minutes < to; minutes += 0.5) observe(minutes, drivingAt(minutes, shiftMs));
  };
  return { tracker, observe, see, drive };
};

const latAt = (minutes: number): number => fixAt(minutes, minutes * SPEED_M).lat;

describe('a record that is older than the one held', () => {
  test('and comes once among newer ones replaces nothing', () => {
    const { observe, see, drive } = setUp();
    drive(0, 10);
    for (const late of [9, 5, -50]) {
      const before = see();
      observe(10, drivingAt(late));
      expect(see()).toEqual(before);
    }
    drive(10, 15);
    expect(see()).toMatchObject({ reason: 'displaced', flags: [] });
    expect(see().lat).toBeCloseTo(latAt(14.5), 4);
  });

  test('replaces nothing where a replica that lags by a minute answers every other time', () => {
    const { observe, see } = setUp();
    let newestLat = 0;
    for (let minutes = 0; minutes < 45; minutes += 0.5) {
      observe(minutes, drivingAt(minutes % 1 === 0 ? minutes : minutes - 1));
      expect(see().lat).toBeGreaterThanOrEqual(newestLat);
      newestLat = see().lat;
      expect(see().flags).toEqual([]);
    }
    expect(see()).toMatchObject({ status: 'moving', reason: 'displaced' });
  });

  test('replaces nothing while the provider delays every report by five minutes', () => {
    const { observe, see, drive } = setUp();
    drive(0, 20);
    const held = see();
    for (let minutes = 20; minutes < 24; minutes += 0.5) observe(minutes, drivingAt(minutes - 5));
    expect(see()).toMatchObject({ lat: held.lat, fixAtMs: held.fixAtMs, flags: [] });
    for (let minutes = 24; minutes < 40; minutes += 0.5) observe(minutes, drivingAt(minutes - 5));
    expect(see().lat).toBeCloseTo(latAt(34.5), 4);
  });

  test('is no sign of life when two frozen answers alternate', () => {
    const { observe, see, drive } = setUp();
    drive(0, 10);
    for (let minutes = 10; minutes < 45; minutes += 0.5)
      observe(minutes, drivingAt(minutes % 1 === 0 ? 9.5 : 7));
    expect(see()).toMatchObject({ status: 'silent', reason: 'quiet' });
  });
});

describe('a truck that reports with times that cannot be trusted', () => {
  test('is shown at its position once two reports half a minute apart agree', () => {
    const { see, drive } = setUp();
    drive(0, 10);
    drive(10, 12, -HOUR_MS);
    expect(see()).toMatchObject({ status: 'moving', reason: 'byReceipt', flags: ['clockFault'] });
    expect(see().lat).toBeCloseTo(latAt(11.5), 4);
    expect(see().fixAtMs).toBe(START_MS + 11.5 * MINUTE_MS);
  });

  test('becomes silent when its reports end', () => {
    const { observe, see, drive } = setUp();
    drive(0, 10);
    drive(10, 20, -HOUR_MS);
    for (let minutes = 20; minutes < 60; minutes++) observe(minutes, drivingAt(19.5, -HOUR_MS));
    expect(see()).toMatchObject({ status: 'silent', reason: 'quiet' });
  });

  test('whose times stand still at the last sound one continues, and never becomes late', () => {
    const { observe, see, drive } = setUp();
    drive(0, 10);
    const { fixAtMs } = drivingAt(9.5);
    for (let minutes = 10; minutes < 55; minutes += 0.5) {
      observe(minutes, { ...drivingAt(minutes), fixAtMs });
      expect(see().status).toBe('moving');
    }
    expect(see().lat).toBeCloseTo(latAt(54.5), 4);
    drive(55, 60);
    expect(see()).toMatchObject({ reason: 'displaced', fixAtMs: START_MS + 59.5 * MINUTE_MS });
  });

  test('keeps the newest time of its own while one report in two is sound', () => {
    const { observe, see, drive } = setUp();
    drive(0, 10);
    for (let minutes = 10; minutes < 55; minutes += 0.5)
      observe(minutes, drivingAt(minutes, minutes % 1 === 0 ? 0 : -HOUR_MS));
    expect(see()).toMatchObject({ status: 'moving', reason: 'displaced' });
    expect(see().fixAtMs).toBe(START_MS + 54 * MINUTE_MS);
  });

  test('is not flagged while a backlog is received, however old its reports are', () => {
    const { observe, see, drive } = setUp();
    drive(0, 10);
    // Half an hour of reports within ten minutes, after an hour without any.
    for (let i = 0; i < 60; i++) observe(100 + i / 6, drivingAt(60 + i / 2));
    expect(see().flags).toEqual([]);
  });

  test.each([HOUR_MS, -HOUR_MS])('is kept when our clock is set by %i ms', (stepMs) => {
    const { tracker, see, drive } = setUp();
    drive(0, 10);
    drive(10, 20, -24 * HOUR_MS);
    const nowMs = START_MS + 20 * MINUTE_MS + stepMs;
    tracker.followClock(stepMs, nowMs);
    for (let i = 0; i < 20; i++)
      tracker.observe([drivingAt(20 + i / 2, -24 * HOUR_MS)], null, nowMs + (i / 2) * MINUTE_MS);
    expect(see()).toMatchObject({ status: 'moving', reason: 'byReceipt', flags: ['clockFault'] });
    expect(see().lat).toBeCloseTo(latAt(29.5), 4);
  });
});

const timeArb = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -2 * HOUR_MS, max: 2 * HOUR_MS }).map((ms) => START_MS + ms),
  fc.integer({ min: -8.64e15, max: 8.64e15 }),
);
const recordArb = fc.record({
  fixAtMs: timeArb,
  otherAtMs: timeArb,
  /** Its time relative to our clock, instead of `fixAtMs`. */
  aheadMs: fc.option(fc.integer({ min: -4 * MINUTE_MS, max: 3 * MINUTE_MS })),
  northM: fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 5000 }), fc.constant(900_000)),
  hasFault: fc.boolean(),
  afterMs: fc.integer({ min: 0, max: 5 * MINUTE_MS }),
  isClockSet: fc.constantFrom(false, false, false, false, true),
});

describe('any sequence of records with any times', () => {
  test('gives a state in range, and a record that is repeated changes nothing', () => {
    const rules = createHistoryRules(DEFAULT_LIVE_SETTINGS.motion);
    fc.assert(
      fc.property(fc.array(recordArb, { maxLength: 40 }), (records) => {
        const history = createHistory(unitAt('A', 0, 0).identity);
        const tracker = new FleetTracker(DEFAULT_LIVE_SETTINGS, '9000001');
        let nowMs = START_MS;
        for (const { fixAtMs, otherAtMs, aheadMs, northM, hasFault, afterMs, isClockSet } of records) {
          nowMs += afterMs;
          if (isClockSet) tracker.followClock(HOUR_MS, (nowMs += HOUR_MS));
          const unit: TrackedUnit = {
            ...unitAt('A', 0, northM ?? 0, northM === null ? { position: null } : {}),
            fixAtMs: aheadMs === null ? fixAtMs : nowMs + aheadMs,
            otherAtMs,
            flags: hasFault ? [{ flag: 'clockFault', text: 'Two clocks.' }] : [],
          };
          appendRecord(history, unit, nowMs, rules);
          const { state } = history;
          expect(appendRecord(history, unit, nowMs, rules)).toBe(false);
          expect(appendRecord(history, unit, nowMs + HOUR_MS, rules)).toBe(false);
          expect(history.state).toBe(state);
          expect(history.records.length).toBeLessThanOrEqual(2 * DEFAULT_LIVE_SETTINGS.motion.lateFixes + 1);

          tracker.observe([unit], null, nowMs);
          const { columns } = tracker.copyRows();
          expect(columns.fixAtS[0]! * 1000).toBeLessThanOrEqual(nowMs + 2 * MINUTE_MS);
          expect(STATUSES[columns.status[0]!]).toBeDefined();
          expect(REASONS[columns.reason[0]!]).toBeDefined();
          expect(columns.speedKph[0]).toBeLessThanOrEqual(200);
          const detail = tracker.detail('A', 'e.1')!;
          for (const { fixAtMs: atMs } of detail.track) expect(Number.isFinite(atMs)).toBe(true);
          expect(JSON.stringify(detail)).not.toContain('NaN');
        }
      }),
      { numRuns: 300, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
    );
  });
});

describe('a provider whose habits are not known yet', () => {
  test('is late by five minutes with each record, with times in whole minutes: no clock is at fault', () => {
    const { observe, see } = setUp();
    for (let quarter = 0; quarter < 120; quarter++) {
      const minutes = quarter / 4;
      const unit = drivingAt(minutes - 5);
      observe(minutes, { ...unit, fixAtMs: Math.floor(unit.fixAtMs! / MINUTE_MS) * MINUTE_MS });
      expect(see().flags).toEqual([]);
      expect(see().fixAtMs).toBeLessThanOrEqual(START_MS + (minutes - 5) * MINUTE_MS);
    }
    expect(see().reason).not.toBe('byReceipt');
  });

  test('begins to round positions to two or three decimals: no truck jumps, and none is shown twice as fast as it is', () => {
    for (const decimals of [2, 3]) {
      const { tracker, observe, see } = setUp();
      for (let quarter = 0; quarter < 160; quarter++) {
        const unit = drivingAt(quarter / 4);
        const { lat, lng } = unit.position!;
        const round = (degrees: number): number => Number(degrees.toFixed(quarter < 40 ? 6 : decimals));
        observe(quarter / 4, { ...unit, position: { lat: round(lat), lng: round(lng) } });
        expect(see().flags, `${decimals} decimals, ${quarter / 4} min`).toEqual([]);
        expect(tracker.copyRows().columns.speedKph[0], `${quarter / 4} min`).toBeLessThan(120);
      }
    }
  });

  test('holds each position for four minutes and stamps it with the present time: no truck jumps', () => {
    const { observe, see } = setUp();
    for (let quarter = 0; quarter < 160; quarter++) {
      const heldMinutes = Math.floor(quarter / 16) * 4;
      const { position } = drivingAt(heldMinutes);
      observe(quarter / 4, { ...drivingAt(quarter / 4), position });
      expect(see().flags, `${quarter / 4} min`).toEqual([]);
      expect(see().lat).toBeCloseTo(latAt(heldMinutes), 4);
    }
  });
});
