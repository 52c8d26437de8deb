import { describe, expect, test } from 'vitest';
import { distanceM } from './distance';
import { EMPTY_MEMORY } from './memory';
import { observeFix, toLateAfterMs } from './observe';
import { toExtentM } from './place';
import { DEFAULT_MOTION_SETTINGS as settings } from './settings';
import { createRandom, fixAt, MINUTE_MS, observeAll, shuffled, START_MS } from '@/testing/motion/fixes';
import { countFixes, fixOf, newestOf, toFixes } from './track';

const held = (memory: ReturnType<typeof observeAll>) => newestOf(memory.track);

describe('order', () => {
  test('never lets an older fix replace the one held', () => {
    const memory = observeAll([fixAt(0, 0), fixAt(2, 800)]);
    expect(observeFix(memory, fixAt(1, 9000), START_MS + 2 * MINUTE_MS, settings)).toBe(memory);
  });

  test('keeps the same memory object when a fix is repeated', () => {
    const memory = observeAll([fixAt(0, 0), fixAt(1, 800)]);
    expect(observeFix(memory, fixAt(1, 800), START_MS + 5 * MINUTE_MS, settings)).toBe(memory);
  });

  test('keeps the first of two places that claim the same moment', () => {
    const memory = observeAll([fixAt(0, 0), fixAt(1, 800), fixAt(1, 900)]);
    expect(held(memory)).toEqual(fixAt(1, 800));
  });

  test('holds the newest fix whatever the order in which the answers arrive', () => {
    const random = createRandom(1);
    for (let round = 0; round < 200; round++) {
      // Never above 108 km/h between any two, so that none is a jump.
      const fixes = Array.from({ length: 8 }, (_, i) => fixAt(i + random() * 0.4, i * 700 + random() * 400));
      const nowMs = fixes[7]!.fixAtMs;
      const memory = shuffled(fixes, random).reduce(
        (m, fix) => observeFix(m, fix, nowMs, settings),
        EMPTY_MEMORY,
      );
      expect(held(memory)).toEqual(fixes[7]);
      const times = toFixes(memory.track).map((fix) => fix.fixAtMs);
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
    const memory = observeAll([fixAt(0, 0), fixAt(1, 1500)]);
    expect(memory).toMatchObject({ phase: 'moving', movingSinceMs: START_MS });
    expect(memory.leg?.speedKph).toBeCloseTo(90, 1);
    expect(memory.leg?.headingDeg).toBeCloseTo(0, 5);
    expect(memory.leg).toMatchObject({ spanMs: MINUTE_MS, fixes: 2 });
  });

  test('derives no speed from fixes that are closer than jitter', () => {
    expect(observeAll([fixAt(0, 0), fixAt(0.1, 50)])).toMatchObject({ phase: 'unclear', leg: null });
  });

  test('derives no speed from two fixes that are a second apart', () => {
    // At 70 m in one second, rounding to whole seconds dominates the result.
    expect(observeAll([fixAt(0, 0), fixAt(1 / 60, 70)]).leg).toBeNull();
  });

  test('derives the motion of a unit that reports every second from fixes further back', () => {
    const memory = observeAll(Array.from({ length: 12 }, (_, s) => fixAt(s / 60, s * 25)));
    expect(memory.phase).toBe('moving');
    expect(memory.leg?.speedKph).toBeCloseTo(90, 0);
  });

  test('calls a unit unknown, not moving, after a gap longer than its usual interval', () => {
    const memory = observeAll([
      fixAt(0, 0),
      fixAt(1, 1000),
      fixAt(2, 2000),
      fixAt(3, 3000),
      fixAt(15, 15_000),
    ]);
    expect(memory).toMatchObject({ phase: 'once', leg: null });
    expect(observeAll([fixAt(16, 16_000)], settings, memory)).toMatchObject({
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
    const memory = observeAll([...arrival, fixAt(3, 2010)]);
    expect(memory).toMatchObject({ phase: 'stopped', leg: null });
    expect(memory.place).toMatchObject({ firstAtMs: START_MS + 2 * MINUTE_MS, fixes: 2 });
  });

  test('does not call a red light a stop', () => {
    expect(observeAll([...arrival, fixAt(2.75, 2010)]).phase).toBe('moving');
  });

  test('keeps the start of a stop beyond the fixes that it keeps', () => {
    const small = { ...settings, trackFixes: 8 };
    const nights = Array.from({ length: 700 }, (_, i) => fixAt(2 + i, 2000 + (i % 3) * 20));
    const memory = observeAll([...arrival.slice(0, 2), ...nights], small);
    expect(countFixes(memory.track)).toBe(8);
    expect(memory.place).toMatchObject({ firstAtMs: START_MS + 2 * MINUTE_MS, fixes: 700 });
    expect(toExtentM(memory.place!)).toBeCloseTo(40, 3);
  });

  test('never flaps while a parked receiver wanders by up to 40 m', () => {
    const random = createRandom(3);
    const parked = Array.from({ length: 2000 }, (_, i) => fixAt(i * 0.5, (random() - 0.5) * 80));
    let memory = observeAll(parked.slice(0, 4));
    for (const fix of parked.slice(4)) {
      memory = observeFix(memory, fix, fix.fixAtMs, settings);
      expect(memory.phase).toBe('stopped');
      expect(memory.place!.firstAtMs).toBeLessThanOrEqual(START_MS + MINUTE_MS);
    }
  });

  test('leaves a place only beyond the wider of its two thresholds', () => {
    const parked = [-2, -1, 0, 1, 2].map((minutes) => fixAt(minutes, 0));
    expect(observeAll([...parked, fixAt(3, 110)]).phase).toBe('stopped');
    expect(observeAll([...parked, fixAt(3, 130)])).toMatchObject({
      phase: 'moving',
      movingSinceMs: START_MS + 2 * MINUTE_MS,
    });
  });

  test('keeps a truck that shuffles in its yard stopped, since it came there', () => {
    const memory = observeAll([fixAt(0, 0), fixAt(5, 0), fixAt(10, 0), fixAt(15, 200)]);
    expect(memory).toMatchObject({ phase: 'stopped', leg: null });
    expect(memory.place).toMatchObject({ firstAtMs: START_MS, fixes: 4 });
    expect(toExtentM(memory.place!)).toBeCloseTo(200, 3);
  });

  test('calls a unit unknown that appears elsewhere without having gone fast', () => {
    expect(observeAll([fixAt(0, 0), fixAt(30, 0), fixAt(60, 0), fixAt(90, 2000)])).toMatchObject({
      phase: 'unclear',
      leg: { fixes: 2, spanMs: 30 * MINUTE_MS },
    });
  });

  test('is still in its place after a long silence', () => {
    const memory = observeAll([...arrival, fixAt(3, 2000), fixAt(600, 2005)]);
    expect(memory).toMatchObject({ phase: 'stopped' });
    expect(memory.place?.firstAtMs).toBe(START_MS + 2 * MINUTE_MS);
  });
});

describe('slow or seldom', () => {
  test('never says moving below 3 km/h: a creep of 61 m in five minutes is a stop, with fixes that show it', () => {
    const memory = observeAll([fixAt(0, 0), fixAt(1, 1000), fixAt(2, 2000), fixAt(7, 2061)]);
    expect(memory).toMatchObject({ phase: 'stopped', leg: null, place: { fixes: 2 } });
    expect(toExtentM(memory.place!)).toBeCloseTo(61, 3);
  });

  test('stops a unit that reports each ten minutes and has not left its street since', () => {
    const memory = observeAll([fixAt(0, 0), fixAt(10, 5000), fixAt(20, 10_000), fixAt(30, 10_200)]);
    expect(memory).toMatchObject({ phase: 'stopped', place: { fixes: 2 } });
  });

  test('needs at least two fixes, twenty seconds apart, for a stop', () => {
    const random = createRandom(5);
    for (let round = 0; round < 200; round++) {
      let memory = EMPTY_MEMORY;
      let [minutes, northM] = [0, 0];
      for (let i = 0; i < 40; i++) {
        minutes += random() * (round % 2 ? 2 : 12);
        northM += random() < 0.5 ? random() * 20 : random() * 400;
        memory = observeFix(memory, fixAt(minutes, northM), fixAt(minutes, 0).fixAtMs, settings);
        if (memory.phase !== 'stopped') continue;
        const { fixes, firstAtMs, lastAtMs } = memory.place!;
        expect(fixes).toBeGreaterThan(1);
        expect(lastAtMs - firstAtMs).toBeGreaterThanOrEqual(settings.settleMs);
      }
    }
  });
});

describe('impossible jumps', () => {
  const driving = [fixAt(0, 0), fixAt(1, 1000), fixAt(2, 2000)];
  const jumped = observeAll([...driving, fixAt(3, 90_000)]);

  test('holds the old position and keeps the new one as unconfirmed', () => {
    expect(held(jumped)).toEqual(fixAt(2, 2000));
    expect(jumped.doubtful).toEqual(fixAt(3, 90_000));
  });

  test('is not confirmed by a repeat of the same fix', () => {
    expect(observeFix(jumped, fixAt(3, 90_000), START_MS + 9 * MINUTE_MS, settings)).toBe(jumped);
  });

  test('drops the unconfirmed one when the next fix returns', () => {
    const memory = observeAll([fixAt(4, 4000)], settings, jumped);
    expect(memory).toMatchObject({ doubtful: null, phase: 'moving' });
    expect(toFixes(memory.track)).toEqual([...driving, fixAt(4, 4000)]);
  });

  test('accepts a second fix near the unconfirmed one, and derives nothing across the jump', () => {
    const memory = observeAll([fixAt(4, 91_000)], settings, jumped);
    expect(memory).toMatchObject({
      doubtful: null,
      phase: 'moving',
      movingSinceMs: START_MS + 3 * MINUTE_MS,
    });
    expect(toFixes(memory.track)).toEqual([fixAt(3, 90_000), fixAt(4, 91_000)]);
    expect(memory.leg?.speedKph).toBeCloseTo(60, 1);
  });

  test('confirms a jump also when the second fix would by then be within reach of the old position', () => {
    const near = observeAll([...driving, fixAt(3, 7000)]);
    expect(near.doubtful).not.toBeNull();
    expect(held(observeAll([fixAt(5, 7000)], settings, near))).toEqual(fixAt(5, 7000));
    expect(fixOf(observeAll([fixAt(5, 7000)], settings, near).track, 0)).toEqual(fixAt(3, 7000));
  });

  test('waits for another fix when the second is elsewhere again', () => {
    const memory = observeAll([fixAt(4, -300_000)], settings, jumped);
    expect(memory.doubtful).toEqual(fixAt(4, -300_000));
    expect(held(memory)).toEqual(fixAt(2, 2000));
  });

  test('keeps the jump unconfirmed in whatever order the fixes came', () => {
    const inOrder = observeAll([...driving, fixAt(2.5, 2500), fixAt(3, 90_000)]);
    const outOfOrder = observeAll([fixAt(2.5, 2500)], settings, jumped);
    expect(outOfOrder).toEqual(inOrder);
  });

  test('does not take jitter within a second for a jump', () => {
    expect(observeAll([fixAt(0, 0), fixAt(1 / 60, 100)]).doubtful).toBeNull();
  });

  test('never holds two neighbors that imply more than 200 km/h, for any input', () => {
    const random = createRandom(4);
    for (let round = 0; round < 40; round++) {
      let memory = EMPTY_MEMORY;
      for (let i = 0; i < 40; i++) {
        const fix = fixAt(i * 0.5 + random() * 3, random() < 0.2 ? random() * 1e6 : i * 500);
        memory = observeFix(memory, fix, fix.fixAtMs, settings);
        const fixes = toFixes(memory.track);
        fixes.slice(1).forEach((to, k) => {
          const from = fixes[k]!;
          const kph = ((distanceM(from, to) - settings.jitterM) / (to.fixAtMs - from.fixAtMs)) * 3600;
          expect(kph).toBeLessThanOrEqual(200);
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
      const memory = observeFix(sane, position, nowMs, settings);
      expect(memory.track).toBe(sane.track);
      expect(memory.untimed).toMatchObject({ lat: position.lat, claimedAtMs: position.fixAtMs });
      expect(observeFix(memory, position, nowMs, settings)).toBe(memory);
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
      (memory, fix) => observeFix(memory, fix, nowMs, settings),
      EMPTY_MEMORY,
    );
    const saneFirst = [fixAt(1, 1000), fixAt(60, 2000)].reduce(
      (memory, fix) => observeFix(memory, fix, nowMs, settings),
      EMPTY_MEMORY,
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
    const memory = observeAll(Array.from({ length: 100 }, (_, i) => fixAt(i, i * 1000)));
    expect(countFixes(memory.track)).toBe(31);
    const rare = observeAll(Array.from({ length: 10 }, (_, i) => fixAt(i * 60, i * 1000)));
    expect(countFixes(rare.track)).toBe(4);
  });
});
