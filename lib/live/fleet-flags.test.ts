import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS, fixAt } from '@/lib/motion/testing/fixes';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { toFlags } from '@/lib/wire/status';
import { createFleetMemory } from './fleet-memory';
import type { FleetMemory } from './fleet-memory';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { identityOf, unitAt } from './testing/tracked-units';

const USDOT = '9000001';
const HOUR_MIN = 60;
const minute = (minutes: number) => START_MS + minutes * MINUTE_MS;
const create = () => createFleetMemory(DEFAULT_LIVE_SETTINGS, USDOT);

const flagsOf = (memory: FleetMemory, key: string) => {
  const { identities, columns } = memory.copyRows();
  return toFlags(columns.flags[identities.findIndex((identity) => identity?.key === key)]!);
};
const wordsOf = (memory: FleetMemory, key: string) =>
  memory
    .detail(key, 'e.1')
    ?.flags.map(({ words }) => words)
    .join(' ');

/** A Freightliner of model year 2022. */
const VIN = '3AKJHHDR5NSLV5024';
const named = (key: string, minutes: number, names: Parameters<typeof identityOf>[1]): TrackedUnit =>
  unitAt(key, minutes, minutes * 1500, { identity: identityOf(key, names) });

describe('a VIN that is not on the roster', () => {
  test('is flagged after a minute, and no more once the roster has had it for longer than one reading', () => {
    const memory = create();
    const roster = new Set(['OTHER']);
    const tell = (at: number, known: ReadonlySet<string>) =>
      memory.observe([unitAt('A', at, at * 1500)], known, minute(at));
    tell(0, roster);
    expect(flagsOf(memory, 'A')).toEqual([]);
    tell(1, roster);
    expect(flagsOf(memory, 'A')).toEqual(['notOnRoster']);
    const grown = new Set(['OTHER', 'A']);
    tell(2, grown);
    tell(7.9, grown);
    expect(flagsOf(memory, 'A')).toEqual(['notOnRoster']);
    expect(wordsOf(memory, 'A')).toBe(
      'It has not been so since 2026-03-10 14:02:00 UTC; the flag goes if it stays that way.',
    );
    tell(8, grown);
    expect(flagsOf(memory, 'A')).toEqual([]);
  });

  test('does not flap with a roster that has it every other time', () => {
    const memory = create();
    const rosters = [new Set(['OTHER']), new Set(['A'])];
    const seen = Array.from({ length: 12 }, (_, i) => {
      memory.observe([unitAt('A', i * 5, 0)], rosters[i % 2]!, minute(i * 5));
      memory.observe([unitAt('A', i * 5 + 2, 0)], rosters[i % 2]!, minute(i * 5 + 2));
      return flagsOf(memory, 'A').length;
    });
    expect(seen).toEqual(Array(12).fill(1));
  });
});

describe('a VIN that is registered to another carrier', () => {
  const carrier = { vin: 'A', mcNumber: '990002', usdot: '9000002', askedAtMs: minute(1) };

  test('is flagged with both numbers and when it was asked', () => {
    const memory = create();
    memory.observe([unitAt('A', 0, 0)], null, minute(0));
    memory.learnCarrier(carrier);
    memory.observe([unitAt('A', 0, 0)], null, minute(1));
    expect(flagsOf(memory, 'A')).toEqual(['wrongCarrier']);
    expect(wordsOf(memory, 'A')).toBe(
      'Its VIN is registered to USDOT 9000002 (MC-990002), and it drives for USDOT 9000001. A leased truck may rightly differ. The provider said so at 2026-03-10 14:01:00 UTC.',
    );
    memory.learnCarrier({ ...carrier, usdot: USDOT });
    memory.observe([unitAt('A', 0, 0)], null, minute(2));
    expect(flagsOf(memory, 'A')).toEqual([]);
  });

  test('is not flagged where the provider knows none, and is where it was known before the unit came', () => {
    const memory = createFleetMemory(DEFAULT_LIVE_SETTINGS, USDOT, (vin) => ({ ...carrier, vin }));
    memory.observe([unitAt('A', 0, 0)], null, minute(0));
    expect(flagsOf(memory, 'A')).toEqual(['wrongCarrier']);
    memory.learnCarrier({ ...carrier, usdot: null });
    memory.observe([unitAt('A', 0, 0)], null, minute(1));
    expect(flagsOf(memory, 'A')).toEqual([]);
  });
});

describe('a VIN against its year and make', () => {
  const flagsWith = (make: string | null, year: number | null) => {
    const memory = create();
    memory.observe([named(VIN, 0, { make, year })], null, minute(0));
    return { flags: flagsOf(memory, VIN), words: wordsOf(memory, VIN) };
  };

  test('is flagged where it says another one', () => {
    expect(flagsWith('Freightliner', 2022)).toEqual({ flags: [], words: '' });
    expect(flagsWith('Freightliner', 2015)).toEqual({
      flags: ['vinMismatch'],
      words: 'Model year 2015 is given; the VIN says 1992 or 2022.',
    });
    expect(flagsWith('Kenworth', 2022)).toEqual({
      flags: ['vinMismatch'],
      words: 'Kenworth is given; the VIN says Freightliner.',
    });
  });

  test('is no matter where nothing is given, or a make that nobody knows', () => {
    expect(flagsWith(null, null).flags).toEqual([]);
    expect(flagsWith('Acme Motor Works', 2022).flags).toEqual([]);
  });
});

describe('a name that changes', () => {
  const device = (minutes: number, deviceId: string | null) => named('A', minutes, { deviceId });

  test('is told after a minute, with what was before and until when, and no more after a day', () => {
    const memory = create();
    memory.observe([device(0, 'D1')], null, minute(0));
    memory.observe([device(1, 'D2')], null, minute(1));
    expect(flagsOf(memory, 'A')).toEqual([]);
    memory.observe([device(2, 'D2')], null, minute(2));
    expect(flagsOf(memory, 'A')).toEqual(['identityChange']);
    expect(wordsOf(memory, 'A')).toBe(
      'Its device was D1 until 2026-03-10 14:00:00 UTC and is D2 since 2026-03-10 14:01:00 UTC.',
    );
    memory.observe([device(24 * HOUR_MIN, 'D2')], null, minute(24 * HOUR_MIN));
    expect(flagsOf(memory, 'A')).toEqual(['identityChange']);
    memory.observe([device(24 * HOUR_MIN, 'D2')], null, minute(24 * HOUR_MIN + 1));
    expect(flagsOf(memory, 'A')).toEqual([]);
  });

  test('is not told where it soon returns, was left out, or is only written otherwise', () => {
    const memory = create();
    const told = ['D-1', 'D2', 'd1', null, 'D1'];
    told.forEach((deviceId, i) => memory.observe([device(i / 2, deviceId)], null, minute(i / 2)));
    memory.observe([device(5, 'D1')], null, minute(5));
    expect(flagsOf(memory, 'A')).toEqual([]);
  });
});

describe('a name that moves from one VIN to another', () => {
  const pair = (minutes: number, ofA: string | null, ofB: string | null) => [
    named('A', minutes, { deviceId: ofA }),
    named('B', minutes, { deviceId: ofB }),
  ];

  test('is told on the one that has it now', () => {
    const memory = create();
    memory.observe([named('A', 0, { deviceId: 'D1' })], null, minute(0));
    memory.observe([named('B', 1, { deviceId: 'D1' })], null, minute(1));
    memory.observe([named('B', 2, { deviceId: 'D1' })], null, minute(2));
    expect(flagsOf(memory, 'B')).toEqual(['identityChange']);
    expect(wordsOf(memory, 'B')).toBe(
      'Its device D1 belonged to A until 2026-03-10 14:00:00 UTC, and to this unit since 2026-03-10 14:01:00 UTC.',
    );
    expect(flagsOf(memory, 'A')).toEqual([]);
  });

  test('is told of both where they were exchanged', () => {
    const memory = create();
    memory.observe(pair(0, 'D1', 'D2'), null, minute(0));
    memory.observe(pair(1, 'D2', 'D1'), null, minute(1));
    memory.observe(pair(2, 'D2', 'D1'), null, minute(2));
    expect(flagsOf(memory, 'A')).toEqual(['identityChange']);
    expect(wordsOf(memory, 'B')).toContain('Its device was D2 until');
    expect(wordsOf(memory, 'B')).toContain('Its device D1 belonged to A until');
  });

  test('is nobody’s matter while two units carry it together, until one of two devices falls quiet', () => {
    const memory = create();
    const told = (minutes: number, aMinutes: number) => [
      named('A', aMinutes, { truckNumber: '7', deviceId: 'D1' }),
      named('B', minutes, { truckNumber: '7', deviceId: 'D1' }),
    ];
    for (let m = 0; m < 5; m++) memory.observe(told(m, m), null, minute(m));
    expect([...flagsOf(memory, 'A'), ...flagsOf(memory, 'B')]).toEqual([]);
    for (let m = 5; m < 10; m++) memory.observe(told(m, 4), null, minute(m));
    expect(flagsOf(memory, 'B')).toEqual(['identityChange']);
    expect(wordsOf(memory, 'B')).toContain('Its device D1 belonged to A until 2026-03-10 14:04:00 UTC');
    expect(wordsOf(memory, 'B')).not.toContain('truck number');
  });
});

describe('a frozen position', () => {
  test('is flagged after some fixes and two minutes, and goes a minute after it moves again', () => {
    const memory = create();
    const seen = new Map<number, string[]>();
    const tell = (half: number, northM: number) => {
      const { lat, lng, fixAtMs } = fixAt(half / 2, northM);
      memory.observe([{ ...unitAt('A', 0, 0), position: { lat, lng }, fixAtMs }], null, minute(half / 2));
      seen.set(half, flagsOf(memory, 'A'));
    };
    for (let half = 0; half < 6; half++) tell(half, half * 800);
    for (let half = 6; half < 16; half++) tell(half, 4000);
    expect(seen.get(8 + 3)).toEqual([]);
    expect(seen.get(8 + 4)).toEqual(['frozenPosition']);
    expect(wordsOf(memory, 'A')).toBe(
      'New fixes come, but their place has been the same to the last digit since 2026-03-10 14:02:30 UTC: 11 fixes in 5 min. Up to then it drove 60 mph and did not slow down.',
    );
    for (let half = 16; half < 20; half++) tell(half, 4000 + (half - 15) * 800);
    expect(seen.get(17)).toEqual(['frozenPosition']);
    expect(seen.get(18)).toEqual([]);
  });
});

describe('a jump that comes and goes', () => {
  test('stays flagged until the unit has been where it says for a while', () => {
    const memory = create();
    const seen = Array.from({ length: 24 }, (_, m) => {
      memory.observe([unitAt('A', m, m < 12 && m % 4 === 3 ? 200_000 : 0)], null, minute(m));
      return flagsOf(memory, 'A').length;
    });
    expect(seen.indexOf(1)).toBe(3);
    expect(seen.lastIndexOf(1)).toBe(16);
    expect(seen.slice(3, 17)).toEqual(Array(14).fill(1));
  });
});

describe('a unit that is missing from one answer', () => {
  test('has not vanished yet; it has, since then, when it is missing from more', () => {
    const memory = create();
    const statusOf = () => memory.detail('A', 'e.1');
    for (let m = 0; m < 4; m++) memory.observe([unitAt('A', m, m * 1500)], null, minute(m));
    memory.observe([], null, minute(3) + 10_000);
    expect(statusOf()?.status).toBe('moving');
    memory.observe([unitAt('A', 3, 4500)], null, minute(3) + 20_000);
    memory.observe([], null, minute(3) + 30_000);
    expect(statusOf()?.status).toBe('moving');
    memory.observe([], null, minute(3) + 45_000);
    expect(statusOf()).toMatchObject({ reason: 'vanishedMoving', sinceMs: minute(3) + 30_000 });
  });
});
