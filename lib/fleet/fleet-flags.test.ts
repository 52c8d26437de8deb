import { describe, expect, test } from 'vitest';
import { fixAt } from '@/testing/motion/fixes';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { createTracker, flagsOf, minute, evidenceOf } from '@/testing/live/shown-flags';
import { identityOf, unitAt } from '@/testing/live/tracked-units';

const HOUR_MIN = 60;
const named = (key: string, minutes: number, names: Parameters<typeof identityOf>[1]): TrackedUnit =>
  unitAt(key, minutes, minutes * 1500, { identity: identityOf(key, names) });

describe('a name that changes', () => {
  const device = (minutes: number, deviceId: string | null) => named('A', minutes, { deviceId });

  test('is shown after a minute, with the former name and its end, and no more after a day', () => {
    const tracker = createTracker();
    tracker.observe([device(0, 'D1')], null, minute(0));
    tracker.observe([device(1, 'D2')], null, minute(1));
    expect(flagsOf(tracker, 'A')).toEqual([]);
    tracker.observe([device(2, 'D2')], null, minute(2));
    expect(flagsOf(tracker, 'A')).toEqual(['identityChange']);
    expect(evidenceOf(tracker, 'A')).toBe(
      'Its device was D1 until 2026-03-10 14:00:00 UTC and is D2 since 2026-03-10 14:01:00 UTC.',
    );
    tracker.observe([device(24 * HOUR_MIN, 'D2')], null, minute(24 * HOUR_MIN));
    expect(flagsOf(tracker, 'A')).toEqual(['identityChange']);
    tracker.observe([device(24 * HOUR_MIN, 'D2')], null, minute(24 * HOUR_MIN + 1));
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });

  test('is not shown where it soon returns, was left out, or differs only in spelling', () => {
    const tracker = createTracker();
    const given = ['D-1', 'D2', 'd1', null, 'D1'];
    given.forEach((deviceId, i) => tracker.observe([device(i / 2, deviceId)], null, minute(i / 2)));
    tracker.observe([device(5, 'D1')], null, minute(5));
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });
});

describe('a name that moves from one VIN to another', () => {
  const pair = (minutes: number, ofA: string | null, ofB: string | null) => [
    named('A', minutes, { deviceId: ofA }),
    named('B', minutes, { deviceId: ofB }),
  ];

  test('is shown on the VIN that has it now', () => {
    const tracker = createTracker();
    tracker.observe([named('A', 0, { deviceId: 'D1' })], null, minute(0));
    tracker.observe([named('B', 1, { deviceId: 'D1' })], null, minute(1));
    tracker.observe([named('B', 2, { deviceId: 'D1' })], null, minute(2));
    expect(flagsOf(tracker, 'B')).toEqual(['identityChange']);
    expect(evidenceOf(tracker, 'B')).toBe(
      'Its device D1 belonged to A until 2026-03-10 14:00:00 UTC, and to this truck since 2026-03-10 14:01:00 UTC.',
    );
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });

  test('is not known any more of a unit that had a thousand other names since', () => {
    const tracker = createTracker();
    for (let i = 0; i < 3000; i++)
      tracker.observe([named('A', i / 100, { deviceId: `D${i}` })], null, minute(i / 100));
    for (let m = 31; m < 34; m++)
      tracker.observe(
        [named('B', m, { deviceId: 'D7' }), named('C', m, { deviceId: 'D2998' })],
        null,
        minute(m),
      );
    expect(flagsOf(tracker, 'B')).toEqual([]);
    expect(evidenceOf(tracker, 'C')).toContain('Its device D2998 belonged to A until');
  });

  test('is shown on both where they were exchanged', () => {
    const tracker = createTracker();
    tracker.observe(pair(0, 'D1', 'D2'), null, minute(0));
    tracker.observe(pair(1, 'D2', 'D1'), null, minute(1));
    tracker.observe(pair(2, 'D2', 'D1'), null, minute(2));
    expect(flagsOf(tracker, 'A')).toEqual(['identityChange']);
    expect(evidenceOf(tracker, 'B')).toContain('Its device was D2 until');
    expect(evidenceOf(tracker, 'B')).toContain('Its device D1 belonged to A until');
  });

  test('is not flagged while two units carry it together, until one of two devices goes quiet', () => {
    const tracker = createTracker();
    const given = (minutes: number, aMinutes: number) => [
      named('A', aMinutes, { truckNumber: '7', deviceId: 'D1' }),
      named('B', minutes, { truckNumber: '7', deviceId: 'D1' }),
    ];
    for (let m = 0; m < 5; m++) tracker.observe(given(m, m), null, minute(m));
    expect([...flagsOf(tracker, 'A'), ...flagsOf(tracker, 'B')]).toEqual([]);
    for (let m = 5; m < 10; m++) tracker.observe(given(m, 4), null, minute(m));
    expect(flagsOf(tracker, 'B')).toEqual(['identityChange']);
    expect(evidenceOf(tracker, 'B')).toContain('Its device D1 belonged to A until 2026-03-10 14:04:00 UTC');
    expect(evidenceOf(tracker, 'B')).not.toContain('truck number');
  });
});

describe('a frozen position', () => {
  test('is flagged after some fixes and two minutes, and goes a minute after it moves again', () => {
    const tracker = createTracker();
    const seen = new Map<number, string[]>();
    const tell = (half: number, northM: number) => {
      const { lat, lng, fixAtMs } = fixAt(half / 2, northM);
      tracker.observe([{ ...unitAt('A', 0, 0), position: { lat, lng }, fixAtMs }], null, minute(half / 2));
      seen.set(half, flagsOf(tracker, 'A'));
    };
    for (let half = 0; half < 6; half++) tell(half, half * 800);
    for (let half = 6; half < 16; half++) tell(half, 4000);
    expect(seen.get(8 + 3)).toEqual([]);
    expect(seen.get(8 + 4)).toEqual(['frozenPosition']);
    expect(evidenceOf(tracker, 'A')).toBe(
      'New fixes come, but their place has been the same to the last digit since 2026-03-10 14:02:30 UTC: 11 fixes in 5 min. Up to then it drove 60 mph and did not slow down.',
    );
    for (let half = 16; half < 20; half++) tell(half, 4000 + (half - 15) * 800);
    expect(seen.get(17)).toEqual(['frozenPosition']);
    expect(seen.get(18)).toEqual([]);
  });
});

describe('a jump that comes and goes', () => {
  test('stays flagged until the unit has been where it says for a while', () => {
    const tracker = createTracker();
    const seen = Array.from({ length: 24 }, (_, m) => {
      tracker.observe([unitAt('A', m, m < 12 && m % 4 === 3 ? 200_000 : 0)], null, minute(m));
      return flagsOf(tracker, 'A').length;
    });
    expect(seen.indexOf(1)).toBe(3);
    expect(seen.lastIndexOf(1)).toBe(16);
    expect(seen.slice(3, 17)).toEqual(Array(14).fill(1));
  });
});

describe('a unit that is missing from one answer', () => {
  test('has not vanished yet; it has, since then, when it is missing from more', () => {
    const tracker = createTracker();
    const statusOf = () => tracker.detail('A', 'e.1');
    for (let m = 0; m < 4; m++) tracker.observe([unitAt('A', m, m * 1500)], null, minute(m));
    tracker.observe([], null, minute(3) + 10_000);
    expect(statusOf()?.status).toBe('moving');
    tracker.observe([unitAt('A', 3, 4500)], null, minute(3) + 20_000);
    tracker.observe([], null, minute(3) + 30_000);
    expect(statusOf()?.status).toBe('moving');
    tracker.observe([], null, minute(3) + 45_000);
    expect(statusOf()).toMatchObject({ reason: 'vanishedMoving', sinceMs: minute(3) + 30_000 });
  });
});

describe('a position where the fleet does not drive', () => {
  const at = (minutes: number, lng: number) =>
    unitAt('A', minutes, 0, { position: { lat: 35.2, lng: lng + minutes / 1000 } });

  test('is flagged at once with a guess, and for a minute after the sign is back', () => {
    const tracker = createTracker();
    tracker.observe([at(0, 101.8)], null, minute(0));
    expect(flagsOf(tracker, 'A')).toEqual(['implausiblePosition']);
    expect(evidenceOf(tracker, 'A')).toBe(
      'It is listed at 35.20, 101.80. Its longitude seems to have lost its sign: that would be 35.20, -101.80.',
    );
    // Two fixes confirm the return, which is itself a jump.
    for (const minutes of [1, 2, 3, 9, 10]) tracker.observe([at(minutes, -101.8)], null, minute(minutes));
    expect(flagsOf(tracker, 'A')).toEqual([]);
  });
});
