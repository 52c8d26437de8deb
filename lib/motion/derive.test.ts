import { expect, test } from 'vitest';
import { deriveStatus, toNextStatusMs } from './derive';
import { NO_MOTION } from './motion-state';
import { observeFix } from './observe';
import { DEFAULT_MOTION_SETTINGS as settings } from './settings';
import { fixAt, MINUTE_MS, observeAll, START_MS } from '@/testing/motion/fixes';

const minute = (minutes: number) => START_MS + minutes * MINUTE_MS;
type Listing = Parameters<typeof deriveStatus>[2];
const listed: Listing = { isListed: true, sinceMs: START_MS };
const goneAt = (minutes: number): Listing => ({ isListed: false, sinceMs: minute(minutes) });

const driving = observeAll([0, 1, 2, 3, 4].map((i) => fixAt(i, i * 1500)));
const parked = observeAll([0, 1, 2, 3, 4].map((i) => fixAt(i, i % 2)));

test('gives moving with the distance, the time and the fixes as evidence', () => {
  const derived = deriveStatus(driving, minute(4.5), listed, settings);
  expect(derived).toMatchObject({ status: 'moving', reason: 'displaced', sinceMs: START_MS });
  expect(derived.speedKph).toBeCloseTo(90, 1);
  expect(derived.headingDeg).toBeCloseTo(0, 5);
  expect(derived.evidence.distanceM).toBeCloseTo(1500, 0);
  expect(derived.evidence).toMatchObject({ spanMs: MINUTE_MS, fixes: 2 });
});

test('gives stopped since the first fix of the place, without a speed or a heading', () => {
  const derived = deriveStatus(parked, minute(4.5), listed, settings);
  expect(derived).toMatchObject({ status: 'stopped', reason: 'inPlace', sinceMs: START_MS });
  expect(derived).toMatchObject({ speedKph: null, headingDeg: null });
  expect(derived.evidence).toMatchObject({ spanMs: 4 * MINUTE_MS, fixes: 5 });
  expect(derived.evidence.distanceM).toBeCloseTo(1, 3);
});

test('gives unknown for one fix, and for a unit without any', () => {
  expect(deriveStatus(observeAll([fixAt(0, 0)]), minute(1), listed, settings)).toEqual({
    status: 'unknown',
    reason: 'oneFix',
    sinceMs: START_MS,
    speedKph: null,
    headingDeg: null,
    evidence: { distanceM: 0, spanMs: 0, fixes: 1 },
    datedAfterMs: 5 * MINUTE_MS,
    coarseM: 0,
  });
  expect(deriveStatus(NO_MOTION, minute(1), listed, settings)).toMatchObject({
    status: 'unknown',
    reason: 'noFix',
    sinceMs: null,
    evidence: { fixes: 0 },
  });
});

test('becomes late exactly at three usual intervals, and silent exactly at half an hour', () => {
  const at = (ms: number) => deriveStatus(driving, ms, listed, settings);
  expect(at(minute(7) - 1).status).toBe('moving');
  expect(at(minute(7))).toMatchObject({ status: 'late', reason: 'overdue', sinceMs: minute(7) });
  expect(at(minute(34) - 1).status).toBe('late');
  expect(at(minute(34))).toMatchObject({ status: 'silent', reason: 'quiet', sinceMs: minute(34) });
});

test('is not late again for a pause as short as its last one, so that bursts do not make it flap', () => {
  const bursts = observeAll([fixAt(0, 0), fixAt(0.5, 400), fixAt(1, 800), fixAt(5, 4800), fixAt(5.5, 5200)]);
  const at = (minutes: number) => deriveStatus(bursts, minute(minutes), listed, settings).status;
  expect([at(8.6), at(10.4), at(10.5)]).not.toContain('silent');
  expect(at(10.4)).not.toBe('late');
  expect(at(10.5)).toBe('late');
});

/**
 * A truck that drives for five minutes with a fix each half minute, then stands: half a minute apart at
 * first, then ten minutes.
 */
const driveAndPark = (fromMinute: number, fromM: number, rests: number) => [
  ...Array.from({ length: 10 }, (_, i) => fixAt(fromMinute + i / 2, fromM + i * 700)),
  ...[5, 5.5, 6, 6.5].map((minutes) => fixAt(fromMinute + minutes, fromM + 7000)),
  ...Array.from({ length: rests }, (_, i) => fixAt(fromMinute + 16.5 + 10 * i, fromM + 7000)),
];

test('is late where it stands only when it pauses longer there than it does at its stops', () => {
  const statusesFrom = (state: ReturnType<typeof observeAll>, fromMinute: number) =>
    [9, 18.9, 19].map((after) => deriveStatus(state, minute(fromMinute + after), listed, settings).status);

  const firstStop = observeAll(driveAndPark(0, 0, 0));
  expect(statusesFrom(firstStop, 0)).toEqual(['stopped', 'late', 'late']);
  const nextStop = observeAll([...driveAndPark(0, 0, 2), ...driveAndPark(27, 7000, 0)]);
  expect(nextStop.phase).toBe('stopped');
  expect(nextStop.usualIntervalMs).toBe(MINUTE_MS / 2);
  expect(statusesFrom(nextStop, 27)).toEqual(['stopped', 'stopped', 'late']);
  // A single pause, perhaps in a garage, is no habit; and a unit that reports seldom where it stands is late
  // as usual on the road.
  const onePause = observeAll([...driveAndPark(0, 0, 1), ...driveAndPark(17, 7000, 0)]);
  expect(statusesFrom(onePause, 17)).toEqual(['stopped', 'late', 'late']);
  const onTheRoad = observeAll([...driveAndPark(0, 0, 2), ...driveAndPark(27, 7000, 0).slice(0, 10)]);
  expect(deriveStatus(onTheRoad, minute(27 + 8), listed, settings).status).toBe('late');
});

test('keeps the last status of a late or silent unit: its speed, heading and evidence', () => {
  for (const nowMs of [minute(8), minute(50)]) {
    const derived = deriveStatus(driving, nowMs, listed, settings);
    expect(derived.speedKph).toBeCloseTo(90, 1);
    expect(derived.evidence).toMatchObject({ spanMs: MINUTE_MS, fixes: 2 });
  }
  expect(deriveStatus(parked, minute(50), listed, settings).speedKph).toBeNull();
});

test('becomes silent after half an hour without a fix even when its usual interval is longer', () => {
  const hourly = observeAll([0, 60, 120, 180].map((m) => fixAt(m, 0)));
  expect(deriveStatus(hourly, minute(209), listed, settings).status).toBe('stopped');
  expect(deriveStatus(hourly, minute(211), listed, settings)).toMatchObject({
    status: 'silent',
    reason: 'quiet',
  });
});

test('gives the last motion of a unit that left the list', () => {
  const say = (state: typeof driving) => deriveStatus(state, minute(6), goneAt(5), settings);
  expect(say(driving)).toMatchObject({ status: 'silent', reason: 'vanishedMoving', sinceMs: minute(5) });
  expect(say(parked)).toMatchObject({ status: 'silent', reason: 'vanishedStopped', sinceMs: minute(5) });
  expect(say(observeAll([fixAt(0, 0)]))).toMatchObject({ status: 'silent', reason: 'vanished' });
});

test('counts the silence of a vanished unit from its half hour without a fix when that came first', () => {
  expect(deriveStatus(driving, minute(50), goneAt(45), settings).sinceMs).toBe(minute(34));
});

test('gives never seen for a unit that was never listed', () => {
  expect(deriveStatus(NO_MOTION, minute(1), goneAt(0), settings)).toMatchObject({
    status: 'silent',
    reason: 'neverSeen',
    sinceMs: null,
  });
});

test('derives no status from a position without a usable time', () => {
  const state = observeFix(NO_MOTION, fixAt(600, 0), START_MS, settings);
  expect(deriveStatus(state, minute(1), listed, settings)).toMatchObject({
    status: 'unknown',
    reason: 'noFix',
  });
  expect(deriveStatus(state, minute(9), goneAt(8), settings)).toMatchObject({
    status: 'silent',
    reason: 'vanished',
  });
});

test('predicts when a status changes without news', () => {
  const next = (nowMs: number, listing = listed) => toNextStatusMs(driving, nowMs, listing, settings);
  expect(next(minute(5))).toBe(minute(7));
  expect(next(minute(7))).toBe(minute(34));
  expect(next(minute(34))).toBe(Infinity);
  expect(next(minute(5), goneAt(5))).toBe(Infinity);
  expect(toNextStatusMs(NO_MOTION, minute(5), listed, settings)).toBe(Infinity);
  const hourly = observeAll([0, 60, 120, 180].map((m) => fixAt(m, 0)));
  expect(toNextStatusMs(hourly, minute(181), listed, settings)).toBe(minute(210));
  for (let m = 4; m < 40; m += 0.25) {
    const status = deriveStatus(driving, minute(m), listed, settings);
    expect(deriveStatus(driving, Math.min(next(minute(m)) - 1, minute(99)), listed, settings)).toEqual(
      status,
    );
  }
});

test('gives unclear for several fixes that show neither driving nor standing, with their evidence', () => {
  const slow = observeAll([fixAt(0, 0), fixAt(10, 0), fixAt(20, 0), fixAt(30, 400)]);
  const derived = deriveStatus(slow, minute(31), listed, settings);
  expect(derived).toMatchObject({ status: 'unknown', reason: 'unclear', speedKph: null, headingDeg: null });
  expect(derived.evidence).toMatchObject({ spanMs: 10 * MINUTE_MS, fixes: 2 });
  expect(derived.evidence.distanceM).toBeCloseTo(400, 0);
});

test('gives the time of a fix that is older than the unit’s usual interval, whatever that is', () => {
  const everyMin = (minutes: number, northM: number) =>
    deriveStatus(
      observeAll([0, 1, 2, 3, 4].map((i) => fixAt(i * minutes, i * minutes * northM))),
      minute(4 * minutes),
      listed,
      settings,
    ).datedAfterMs / MINUTE_MS;
  expect([0.2, 1, 2, 6, 20].map((minutes) => everyMin(minutes, 0))).toEqual([2, 2, 3, 9, 15]);
  // A moving status is current only while its leg is within the last five minutes.
  expect([0.2, 1, 2, 3, 4, 6, 20].map((minutes) => everyMin(minutes, 900))).toEqual([2, 2, 3, 2, 1, 0, 0]);
  expect(deriveStatus(observeAll([fixAt(0, 0)]), minute(1), listed, settings).datedAfterMs).toBe(
    5 * MINUTE_MS,
  );
});
