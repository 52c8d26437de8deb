import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveStatus } from './derive';
import { distanceM } from '@/lib/geo/geodesy';
import { NO_MOTION } from './motion-state';
import { observeFix } from './observe';
import { toLateAfterMs } from './rhythm';
import { toExtentM } from './place';
import { DEFAULT_MOTION_SETTINGS as settings } from './settings';
import { createRandom, fixAt, MINUTE_MS, observeAll, shuffled, START_MS } from '@/testing/motion/fixes';
import { countFixes, fixOf, newestOf, toFixes } from './track';

const held = (state: ReturnType<typeof observeAll>) => newestOf(state.track);

describe('order', () => {
  test('never lets an older fix replace the one held', () => {
    const state = observeAll([fixAt(0, 0), fixAt(2, 800)]);
    expect(observeFix(state, fixAt(1, 9000), START_MS + 2 * MINUTE_MS, settings)).toBe(state);
  });

  test('keeps the same state object when a fix is repeated', () => {
    const state = observeAll([fixAt(0, 0), fixAt(1, 800)]);
    expect(observeFix(state, fixAt(1, 800), START_MS + 5 * MINUTE_MS, settings)).toBe(state);
  });

  test('keeps the first of two places that claim the same moment', () => {
    const state = observeAll([fixAt(0, 0), fixAt(1, 800), fixAt(1, 900)]);
    expect(held(state)).toEqual(fixAt(1, 800));
  });

  test('holds the newest fix whatever the order in which the answers arrive', () => {
    const random = createRandom(1);
    for (let round = 0; round < 200; round++) {
      // Never above 108 km/h between any two, so that none is a jump.
      const fixes = Array.from({ length: 8 }, (_, i) => fixAt(i + random() * 0.4, i * 700 + random() * 400));
      const nowMs = fixes[7]!.fixAtMs;
      const state = shuffled(fixes, random).reduce(
        (m, fix) => observeFix(m, fix, nowMs, settings),
        NO_MOTION,
      );
      expect(held(state)).toEqual(fixes[7]);
      const times = toFixes(state.track).map((fix) => fix.fixAtMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(new Set(times).size).toBe(times.length);
    }
  });

  test('gives the same result however often each fix is repeated', () => {
    const random = createRandom(2);
    const fixes = Array.from({ length: 30 }, (_, i) =>
      fixAt(i * 0.5, i < 15 ? i * 500 : 7000 + random() * 40),
    );
    const once = observeAll(fixes);
    const often = observeAll(fixes.flatMap((fix, i) => [fix, fix, fixes[Math.max(0, i - 2)]!, fix]));
    expect(often).toEqual(once);
    expect(once.phase).toBe('stopped');
  });
});

describe('motion', () => {
  test('derives nothing from the first fix of a unit', () => {
    expect(observeAll([fixAt(0, 0)])).toMatchObject({ phase: 'once', leg: null, usualIntervalMs: null });
  });

  test('moves from the second fix on, when that is far enough and soon enough', () => {
    const state = observeAll([fixAt(0, 0), fixAt(1, 1500)]);
    expect(state).toMatchObject({ phase: 'moving', movingSinceMs: START_MS });
    expect(state.leg?.speedKph).toBeCloseTo(90, 1);
    expect(state.leg?.headingDeg).toBeCloseTo(0, 5);
    expect(state.leg).toMatchObject({ spanMs: MINUTE_MS, fixes: 2 });
  });

  test('derives no speed from fixes that are closer than jitter', () => {
    expect(observeAll([fixAt(0, 0), fixAt(0.1, 50)])).toMatchObject({ phase: 'unclear', leg: null });
  });

  test('derives no speed from two fixes that are a second apart', () => {
    // At 70 m in one second, rounding to whole seconds dominates the result.
    expect(observeAll([fixAt(0, 0), fixAt(1 / 60, 70)]).leg).toBeNull();
  });

  test('derives the motion of a unit that reports every second from fixes further back', () => {
    const state = observeAll(Array.from({ length: 12 }, (_, s) => fixAt(s / 60, s * 25)));
    expect(state.phase).toBe('moving');
    expect(state.leg?.speedKph).toBeCloseTo(90, 0);
  });

  test('calls a unit unknown, not moving, after a gap longer than its usual interval', () => {
    const state = observeAll([
      fixAt(0, 0),
      fixAt(1, 1000),
      fixAt(2, 2000),
      fixAt(3, 3000),
      fixAt(15, 15_000),
    ]);
    expect(state).toMatchObject({ phase: 'once', leg: null });
    expect(observeAll([fixAt(16, 16_000)], settings, state)).toMatchObject({
      phase: 'moving',
      movingSinceMs: START_MS + 15 * MINUTE_MS,
    });
  });

  test('keeps a crawl in a traffic jam moving that would not have started as motion', () => {
    const jam = [fixAt(3, 1665), fixAt(4, 1730), fixAt(5, 1795)];
    expect(observeAll([fixAt(0, 0), fixAt(1, 800), fixAt(2, 1600), ...jam]).phase).toBe('moving');
    expect(observeAll(jam).phase).toBe('unclear');
  });
});

describe('standing', () => {
  const arrival = [fixAt(0, 0), fixAt(1, 1000), fixAt(2, 2000)];

  test('stops after a minute in one place, since the first fix there', () => {
    const state = observeAll([...arrival, fixAt(3, 2010)]);
    expect(state).toMatchObject({ phase: 'stopped', leg: null });
    expect(state.place).toMatchObject({ firstAtMs: START_MS + 2 * MINUTE_MS, fixes: 2 });
  });

  test('does not call a red light a stop', () => {
    expect(observeAll([...arrival, fixAt(2.75, 2010)]).phase).toBe('moving');
  });

  test('keeps the start of a stop beyond the fixes that it keeps', () => {
    const small = { ...settings, trackFixes: 8 };
    const nights = Array.from({ length: 700 }, (_, i) => fixAt(2 + i, 2000 + (i % 3) * 20));
    const state = observeAll([...arrival.slice(0, 2), ...nights], small);
    expect(countFixes(state.track)).toBe(8);
    expect(state.place).toMatchObject({ firstAtMs: START_MS + 2 * MINUTE_MS, fixes: 700 });
    expect(toExtentM(state.place!)).toBeCloseTo(40, 3);
  });

  test('never flaps while a parked receiver wanders by up to 40 m', () => {
    const random = createRandom(3);
    const parked = Array.from({ length: 2000 }, (_, i) => fixAt(i * 0.5, (random() - 0.5) * 80));
    let state = observeAll(parked.slice(0, 4));
    for (const fix of parked.slice(4)) {
      state = observeFix(state, fix, fix.fixAtMs, settings);
      expect(state.phase).toBe('stopped');
      expect(state.place!.firstAtMs).toBeLessThanOrEqual(START_MS + MINUTE_MS);
    }
  });

  test('leaves a place only beyond the wider of its two thresholds', () => {
    const parked = [-5, -4, -3, -2, -1, 0, 1, 2].map((minutes) => fixAt(minutes, 0));
    expect(observeAll([...parked, fixAt(3, 110)]).phase).toBe('stopped');
    expect(observeAll([...parked, fixAt(3, 130)])).toMatchObject({
      phase: 'moving',
      movingSinceMs: START_MS + 2 * MINUTE_MS,
    });
  });

  test('keeps a truck that shuffles in its yard stopped, since it came there', () => {
    const state = observeAll([fixAt(0, 0), fixAt(5, 0), fixAt(10, 0), fixAt(15, 200)]);
    expect(state).toMatchObject({ phase: 'stopped', leg: null });
    expect(state.place).toMatchObject({ firstAtMs: START_MS, fixes: 4 });
    expect(toExtentM(state.place!)).toBeCloseTo(200, 3);
  });

  test('calls a unit unknown that appears elsewhere without having gone fast', () => {
    expect(observeAll([fixAt(0, 0), fixAt(30, 0), fixAt(60, 0), fixAt(90, 2000)])).toMatchObject({
      phase: 'unclear',
      leg: { fixes: 2, spanMs: 30 * MINUTE_MS },
    });
  });

  test('is still in its place after a long silence', () => {
    const state = observeAll([...arrival, fixAt(3, 2000), fixAt(600, 2005)]);
    expect(state).toMatchObject({ phase: 'stopped' });
    expect(state.place?.firstAtMs).toBe(START_MS + 2 * MINUTE_MS);
  });
});

describe('slow or seldom', () => {
  test('is never moving below 3 km/h: a creep of 61 m in five minutes is a stop, with fixes that show it', () => {
    const state = observeAll([fixAt(0, 0), fixAt(1, 1000), fixAt(2, 2000), fixAt(7, 2061)]);
    expect(state).toMatchObject({ phase: 'stopped', leg: null, place: { fixes: 2 } });
    expect(toExtentM(state.place!)).toBeCloseTo(61, 3);
  });

  test('stops a unit that reports each ten minutes and has not left its street since', () => {
    const state = observeAll([fixAt(0, 0), fixAt(10, 5000), fixAt(20, 10_000), fixAt(30, 10_200)]);
    expect(state).toMatchObject({ phase: 'stopped', place: { fixes: 2 } });
  });

  test('needs at least two fixes, twenty seconds apart, for a stop', () => {
    const random = createRandom(5);
    for (let round = 0; round < 200; round++) {
      let state = NO_MOTION;
      let [minutes, northM] = [0, 0];
      for (let i = 0; i < 40; i++) {
        minutes += random() * (round % 2 ? 2 : 12);
        northM += random() < 0.5 ? random() * 20 : random() * 400;
        state = observeFix(state, fixAt(minutes, northM), fixAt(minutes, 0).fixAtMs, settings);
        if (state.phase !== 'stopped') continue;
        const { fixes, firstAtMs, lastAtMs } = state.place!;
        expect(fixes).toBeGreaterThan(1);
        expect(lastAtMs - firstAtMs).toBeGreaterThanOrEqual(settings.settleMs);
      }
    }
  });

  test('does not stop for a slow leg that the newest fix is not part of', () => {
    const driven = [fixAt(0, 0), fixAt(313 / 60, 260.2)];
    expect(observeAll(driven)).toMatchObject({ phase: 'unclear', leg: { fixes: 2 } });
    expect(observeAll([...driven, fixAt(314 / 60, 259)]).phase).toBe('unclear');
  });
});

describe('impossible jumps', () => {
  const driving = [fixAt(0, 0), fixAt(1, 1000), fixAt(2, 2000)];
  const jumped = observeAll([...driving, fixAt(3, 90_000)]);

  test('holds the old position and keeps the new one as unconfirmed', () => {
    expect(held(jumped)).toEqual(fixAt(2, 2000));
    expect(jumped.unconfirmed).toEqual(fixAt(3, 90_000));
  });

  test('is not confirmed by a repeat of the same fix', () => {
    expect(observeFix(jumped, fixAt(3, 90_000), START_MS + 9 * MINUTE_MS, settings)).toBe(jumped);
  });

  test('drops the unconfirmed one when the next fix returns', () => {
    const state = observeAll([fixAt(4, 4000)], settings, jumped);
    expect(state).toMatchObject({ unconfirmed: null, phase: 'moving' });
    expect(toFixes(state.track)).toEqual([...driving, fixAt(4, 4000)]);
  });

  test('accepts a second fix near the unconfirmed one, and derives nothing across the jump', () => {
    const state = observeAll([fixAt(4, 91_000)], settings, jumped);
    expect(state).toMatchObject({
      unconfirmed: null,
      phase: 'moving',
      movingSinceMs: START_MS + 3 * MINUTE_MS,
    });
    expect(toFixes(state.track)).toEqual([fixAt(3, 90_000), fixAt(4, 91_000)]);
    expect(state.leg?.speedKph).toBeCloseTo(60, 1);
  });

  test('confirms a jump also when the second fix would by then be within reach of the old position', () => {
    const near = observeAll([...driving, fixAt(3, 7000)]);
    expect(near.unconfirmed).not.toBeNull();
    expect(held(observeAll([fixAt(5, 7000)], settings, near))).toEqual(fixAt(5, 7000));
    expect(fixOf(observeAll([fixAt(5, 7000)], settings, near).track, 0)).toEqual(fixAt(3, 7000));
  });

  test('waits for another fix when the second is elsewhere again', () => {
    const state = observeAll([fixAt(4, -300_000)], settings, jumped);
    expect(state.unconfirmed).toEqual(fixAt(4, -300_000));
    expect(held(state)).toEqual(fixAt(2, 2000));
  });

  test('keeps the jump unconfirmed in whatever order the fixes came', () => {
    const inOrder = observeAll([...driving, fixAt(2.5, 2500), fixAt(3, 90_000)]);
    const outOfOrder = observeAll([fixAt(2.5, 2500)], settings, jumped);
    expect(outOfOrder).toEqual(inOrder);
  });

  test('does not take jitter within a second for a jump', () => {
    expect(observeAll([fixAt(0, 0), fixAt(1 / 60, 100)]).unconfirmed).toBeNull();
  });

  test('never holds two neighbors that imply more than 180 km/h, for any input', () => {
    const random = createRandom(4);
    for (let round = 0; round < 40; round++) {
      let state = NO_MOTION;
      for (let i = 0; i < 40; i++) {
        const fix = fixAt(i * 0.5 + random() * 3, random() < 0.2 ? random() * 1e6 : i * 500);
        state = observeFix(state, fix, fix.fixAtMs, settings);
        const fixes = toFixes(state.track);
        fixes.slice(1).forEach((to, k) => {
          const from = fixes[k]!;
          const kph = ((distanceM(from, to) - settings.jitterM) / (to.fixAtMs - from.fixAtMs)) * 3600;
          expect(kph).toBeLessThanOrEqual(180);
        });
      }
    }
  });
});

describe('clocks', () => {
  const nowMs = START_MS + 2 * MINUTE_MS;
  const sane = observeAll([fixAt(0, 0), fixAt(1, 1000)]);

  test('accepts a clock that is less than two minutes ahead', () => {
    expect(held(observeFix(sane, fixAt(3.9, 2000), nowMs, settings))).toEqual(fixAt(3.9, 2000));
  });

  test('never holds a fix from the future, nor one that lost 1024 weeks, nor one without a time', () => {
    const lost = { ...fixAt(2, 2000), fixAtMs: nowMs - 1024 * 7 * 86_400_000 };
    for (const position of [fixAt(60, 2000), lost, { ...fixAt(2, 2000), fixAtMs: null }]) {
      const state = observeFix(sane, position, nowMs, settings);
      expect(state.track).toBe(sane.track);
      expect(state.untimed).toMatchObject({ lat: position.lat, claimedAtMs: position.fixAtMs });
      expect(observeFix(state, position, nowMs, settings)).toBe(state);
    }
  });

  test('rejects a future fix even after its time has come, so that the next sane one wins', () => {
    const future = observeFix(sane, fixAt(10, 2000), nowMs, settings);
    const later = observeFix(future, fixAt(10, 2000), START_MS + 9 * MINUTE_MS, settings);
    expect(later).toBe(future);
    expect(held(observeFix(later, fixAt(9, 3000), START_MS + 9 * MINUTE_MS, settings))).toEqual(
      fixAt(9, 3000),
    );
  });

  test('ends with the sane fix whichever of the two came first', () => {
    const futureFirst = [fixAt(60, 2000), fixAt(1, 1000)].reduce(
      (state, fix) => observeFix(state, fix, nowMs, settings),
      NO_MOTION,
    );
    const saneFirst = [fixAt(1, 1000), fixAt(60, 2000)].reduce(
      (state, fix) => observeFix(state, fix, nowMs, settings),
      NO_MOTION,
    );
    expect(futureFirst).toEqual(saneFirst);
    expect(held(saneFirst)).toEqual(fixAt(1, 1000));
  });
});

describe('usual interval and track', () => {
  test('is late after three of its own intervals, and never before three minutes', () => {
    const slow = observeAll([fixAt(0, 0), fixAt(5, 0), fixAt(10, 0), fixAt(15, 0)]);
    expect(toLateAfterMs(slow.usualIntervalMs, settings)).toBe(15 * MINUTE_MS);
    const fast = observeAll([fixAt(0, 0), fixAt(0.5, 0), fixAt(1, 0), fixAt(1.5, 0)]);
    expect(toLateAfterMs(fast.usualIntervalMs, settings)).toBe(3 * MINUTE_MS);
  });

  test('is never late before its usual interval is known', () => {
    expect(observeAll([fixAt(0, 0), fixAt(1, 0), fixAt(2, 0)]).usualIntervalMs).toBeNull();
    expect(toLateAfterMs(null, settings)).toBe(settings.silentAfterMs);
  });

  test('forgets fixes older than half an hour but for the newest few', () => {
    const state = observeAll(Array.from({ length: 100 }, (_, i) => fixAt(i, i * 1000)));
    expect(countFixes(state.track)).toBe(31);
    const rare = observeAll(Array.from({ length: 10 }, (_, i) => fixAt(i * 60, i * 1000)));
    expect(countFixes(rare.track)).toBe(4);
  });
});

describe('the first truck of a fleet, which reports every 30 s', () => {
  const known = (northMOf: (index: number) => number, decimals: number) => {
    let state = NO_MOTION;
    let nowMs = START_MS;
    for (let index = 0; index <= 8; index++) {
      nowMs = START_MS + index * 30_000;
      const lat = Number((35.2213947 + northMOf(index) / 111_320).toFixed(decimals));
      const fix = { lat, lng: Number((-101.8312846).toFixed(decimals)), fixAtMs: nowMs };
      state = observeFix(state, fix, nowMs, settings);
    }
    return deriveStatus(state, nowMs, { isListed: true, sinceMs: START_MS }, settings).status;
  };

  test.each([
    ['stands, at a repeated position', 0, 7, 'stopped'],
    ['stands, at a position that its device rounds to half a mile', 0, 2, 'stopped'],
    ['creeps through a yard', 20, 7, 'stopped'],
    ['goes at walking pace', 33, 7, 'moving'],
    ['drives', 400, 7, 'moving'],
  ] as const)('is known after four minutes where it %s', (_, stepM, decimals, status) => {
    expect(known((index) => index * stepM, decimals)).toBe(status);
  });

  test('is known whatever its way at a steady pace, and however its receiver wanders', () => {
    const wander = fc.array(fc.integer({ min: -15, max: 15 }), { minLength: 9, maxLength: 9 });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 900 }), wander, (stepM, offM) => {
        expect(known((index) => index * stepM + offM[index]!, 6)).not.toBe('unknown');
      }),
    );
  });
});
