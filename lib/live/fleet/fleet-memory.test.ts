import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { NO_POSITION, NOT_DERIVED } from '@/lib/wire/fleet';
import { REASONS, STATUSES, toFlags } from '@/lib/wire/status';
import { createFleetMemory } from './fleet-memory';
import type { FleetMemory } from './fleet-memory';
import { DEFAULT_LIVE_SETTINGS } from '../settings';
import { identityOf, unitAt } from '@/testing/live/tracked-units';

const settings = { ...DEFAULT_LIVE_SETTINGS, emptyRowsLeast: 3 };
const USDOT = '9000001';
const minute = (minutes: number) => START_MS + minutes * MINUTE_MS;

const say = (memory: FleetMemory, key: string) => {
  const { identities, columns } = memory.copyRows();
  const row = identities.findIndex((identity) => identity?.key === key);
  if (row < 0) return null;
  return {
    row,
    status: STATUSES[columns.status[row]!],
    reason: REASONS[columns.reason[row]!],
    sinceS: columns.sinceS[row],
    latE5: columns.latE5[row],
    fixAtS: columns.fixAtS[row],
    speedKph: columns.speedKph[row],
    headingDeg: columns.headingDeg[row],
    flags: toFlags(columns.flags[row]!),
  };
};

/** A truck that drives north and one that stands, each with a record a minute up to `until`. */
const watch = (until: number, roster: ReadonlySet<string> | null = null): FleetMemory => {
  const memory = createFleetMemory(settings, USDOT);
  for (let m = 0; m <= until; m++) {
    memory.observe([unitAt('DRIVES', m, m * 1500), unitAt('STANDS', m, 0)], roster, minute(m));
  }
  return memory;
};

describe('units that are listed', () => {
  test('are shown by their own fixes, with speed and heading only where they move', () => {
    const memory = watch(4);
    expect(say(memory, 'DRIVES')).toEqual({
      row: 0,
      status: 'moving',
      reason: 'displaced',
      sinceS: START_MS / 1000,
      latE5: 3_505_396,
      fixAtS: minute(4) / 1000,
      speedKph: 90,
      headingDeg: 0,
      flags: [],
    });
    expect(say(memory, 'STANDS')).toMatchObject({
      row: 1,
      status: 'stopped',
      sinceS: START_MS / 1000,
      speedKph: NOT_DERIVED,
      headingDeg: NOT_DERIVED,
    });
  });

  test('keep their rows while others come and go', () => {
    const memory = watch(2);
    memory.observe([unitAt('NEW', 3, 0), unitAt('STANDS', 3, 0)], null, minute(3));
    expect(say(memory, 'NEW')?.row).toBe(2);
    expect(say(memory, 'STANDS')?.row).toBe(1);
    expect(say(memory, 'DRIVES')?.row).toBe(0);
  });

  test('are never plotted at a position that they did not report', () => {
    const memory = createFleetMemory(settings, USDOT);
    const lost: TrackedUnit = {
      ...unitAt('LOST', 0, 0),
      position: null,
      flags: [{ flag: 'noPosition', words: 'It gave 0, 0.' }],
    };
    memory.observe([lost], null, START_MS);
    expect(say(memory, 'LOST')).toMatchObject({
      status: 'unknown',
      reason: 'noFix',
      latE5: NO_POSITION,
      fixAtS: 0,
      flags: ['noPosition'],
    });
  });

  test('are shown without a time where theirs lies in the future, until a sane fix comes', () => {
    const memory = createFleetMemory(settings, USDOT);
    memory.observe([unitAt('AHEAD', 60, 1000)], null, START_MS);
    expect(say(memory, 'AHEAD')).toMatchObject({ reason: 'noFix', latE5: 3_500_899, fixAtS: 0 });
    memory.observe([unitAt('AHEAD', 1, 0)], null, minute(1));
    memory.observe([unitAt('AHEAD', 60, 1000)], null, minute(2));
    expect(say(memory, 'AHEAD')).toMatchObject({
      reason: 'oneFix',
      latE5: 3_500_000,
      fixAtS: minute(1) / 1000,
    });
  });

  test('are renamed when the provider renames them, and only then', () => {
    const memory = watch(1);
    const before = memory.copyRows().identities;
    memory.observe([unitAt('DRIVES', 2, 3000), unitAt('STANDS', 2, 0)], null, minute(2));
    expect(memory.copyRows().identities[0]).toBe(before[0]);
    const renamed = unitAt('STANDS', 3, 0, { identity: identityOf('STANDS', { truckNumber: '12' }) });
    memory.observe([unitAt('DRIVES', 3, 4500), renamed], null, minute(3));
    const after = memory.copyRows().identities;
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.truckNumber).toBe('12');
  });
});

describe('units that are listed without news', () => {
  test('become late and silent in their time, as units watched in between do', () => {
    const memory = watch(4);
    const same = [unitAt('DRIVES', 4, 6000), unitAt('STANDS', 4, 0)];
    for (const [m, status, reason] of [
      [6.9, 'moving', 'displaced'],
      [7, 'late', 'overdue'],
      [33.9, 'late', 'overdue'],
      [34, 'silent', 'quiet'],
    ] as const) {
      memory.observe(same, null, minute(m));
      expect(say(memory, 'DRIVES')).toMatchObject({ status, reason, speedKph: 90 });
    }
  });

  test('lose a flag once the provider has not sent it for a while', () => {
    const memory = createFleetMemory(settings, USDOT);
    const flagged = unitAt('A', 0, 0, { flags: [{ flag: 'clockFault', words: 'Two clocks.' }] });
    memory.observe([flagged], null, START_MS);
    expect(say(memory, 'A')?.flags).toEqual(['clockFault']);
    const seen = [1, 2, 5, 6, 7].map((m) => {
      memory.observe([unitAt('A', m, 0)], null, minute(m));
      return say(memory, 'A')?.flags.length;
    });
    expect(seen).toEqual([1, 1, 1, 0, 0]);
  });
});

describe('units that left the list', () => {
  test('are silent since they left, by their last motion, with their last speed', () => {
    const memory = watch(4);
    memory.observe([], null, minute(5));
    memory.observe([], null, minute(7));
    expect(say(memory, 'DRIVES')).toMatchObject({
      status: 'silent',
      reason: 'vanishedMoving',
      sinceS: minute(5) / 1000,
      speedKph: 90,
    });
    expect(say(memory, 'STANDS')).toMatchObject({ status: 'silent', reason: 'vanishedStopped' });
  });

  test('continue where they were when they return', () => {
    const memory = watch(4);
    memory.observe([], null, minute(5));
    memory.observe([unitAt('STANDS', 6, 10)], null, minute(6));
    expect(say(memory, 'STANDS')).toMatchObject({ status: 'stopped', sinceS: START_MS / 1000 });
  });

  test('are forgotten after a while, unless the roster has them', () => {
    const memory = watch(4, new Set(['STANDS']));
    const roster = new Set(['STANDS']);
    memory.observe([], roster, minute(5));
    memory.observe([], roster, minute(124));
    expect(say(memory, 'DRIVES')).not.toBeNull();
    memory.observe([], roster, minute(125));
    expect(say(memory, 'DRIVES')).toBeNull();
    expect(say(memory, 'STANDS')).toMatchObject({ row: 1, reason: 'vanishedStopped' });
    const { rows, identities, columns } = memory.copyRows();
    expect([rows, identities[0], columns.latE5[0]]).toEqual([2, null, NO_POSITION]);
  });
});

describe('the roster', () => {
  test('adds the VINs that were never seen, as silent and without a position', () => {
    const memory = watch(2, new Set(['STANDS', 'DRIVES', 'GHOST']));
    expect(say(memory, 'GHOST')).toEqual({
      row: 2,
      status: 'silent',
      reason: 'neverSeen',
      sinceS: 0,
      latE5: NO_POSITION,
      fixAtS: 0,
      speedKph: NOT_DERIVED,
      headingDeg: NOT_DERIVED,
      flags: [],
    });
  });

  test('gives a unit the row that its VIN already has', () => {
    const roster = new Set(['GHOST']);
    const memory = createFleetMemory(settings, USDOT);
    memory.observe([], roster, START_MS);
    memory.observe(
      [unitAt('GHOST', 1, 0, { identity: identityOf('GHOST', { truckNumber: '7' }) })],
      roster,
      minute(1),
    );
    expect(memory.copyRows().identities).toEqual([identityOf('GHOST', { truckNumber: '7' })]);
    expect(say(memory, 'GHOST')).toMatchObject({ status: 'unknown', reason: 'oneFix' });
  });

  test('flags units that are not on it, but only when it could be read', () => {
    expect(say(watch(1, null), 'DRIVES')?.flags).toEqual([]);
    expect(say(watch(1, new Set(['STANDS'])), 'DRIVES')?.flags).toEqual(['notOnRoster']);
    expect(say(watch(1, new Set(['STANDS'])), 'STANDS')?.flags).toEqual([]);
    // A fleet that reports has vehicles: an empty roster counts as no roster.
    expect(say(watch(1, new Set()), 'DRIVES')?.flags).toEqual([]);
  });

  test('does not flag a unit without a VIN, which no roster could have', () => {
    const memory = createFleetMemory(settings, USDOT);
    memory.observe([unitAt('device:7', 0, 0)], new Set(['STANDS']), START_MS);
    expect(say(memory, 'device:7')?.flags).toEqual([]);
  });

  test('drops a VIN that was taken off before it was seen', () => {
    const memory = watch(1, new Set(['DRIVES', 'STANDS', 'GHOST']));
    memory.observe([unitAt('DRIVES', 2, 3000)], new Set(['DRIVES', 'STANDS']), minute(2));
    expect(say(memory, 'GHOST')).toBeNull();
    expect(say(memory, 'STANDS')).not.toBeNull();
  });
});

describe('jumps', () => {
  test('are flagged and unconfirmed until a second fix confirms them', () => {
    const memory = watch(2);
    memory.observe([unitAt('DRIVES', 3, 90_000)], null, minute(3));
    expect(say(memory, 'DRIVES')).toMatchObject({ flags: ['impossibleJump'], fixAtS: minute(2) / 1000 });
    const doubted = memory.detail('DRIVES', 'v.1');
    expect(doubted?.doubtful).toMatchObject({ fixAtMs: minute(3) });
    expect(doubted?.flags).toEqual([
      {
        flag: 'impossibleJump',
        words:
          'A fix lies 54 mi from the one 1 min before: 3,244 mph. The old place is shown until a second fix confirms the new one.',
      },
    ]);
    memory.observe([unitAt('DRIVES', 4, 91_000)], null, minute(4));
    expect(say(memory, 'DRIVES')).toMatchObject({ fixAtS: minute(4) / 1000, status: 'moving' });
    expect(memory.detail('DRIVES', 'v.1')?.flags[0]?.words).toContain(
      'It has not been so since 2026-03-10 14:04:00 UTC',
    );
    for (let m = 5; m < 10; m++)
      memory.observe([unitAt('DRIVES', m, 91_000 + (m - 4) * 1000)], null, minute(m));
    expect(say(memory, 'DRIVES')?.flags).toEqual([]);
  });
});

describe('detail', () => {
  test('gives the evidence, the usual interval and the track of a unit', () => {
    const detail = watch(4, new Set(['STANDS'])).detail('DRIVES', 'e.5');
    expect(detail).toMatchObject({
      identity: identityOf('DRIVES'),
      version: 'e.5',
      status: 'moving',
      sinceMs: START_MS,
      usualIntervalMs: MINUTE_MS,
      doubtful: null,
      evidence: { spanMs: MINUTE_MS, fixes: 2 },
      flags: [{ flag: 'notOnRoster', words: "It reports, but is not on the fleet's roster of 1 VIN." }],
    });
    expect(detail?.track.map(({ fixAtMs }) => fixAtMs)).toEqual([0, 1, 2, 3, 4].map(minute));
  });

  test('is null for a unit that the fleet does not have', () => {
    expect(watch(1).detail('NOBODY', 'e.1')).toBeNull();
  });

  test('agrees with the rows, however late it is read', () => {
    const memory = watch(4);
    expect(memory.detail('DRIVES', 'e.1')?.status).toBe(say(memory, 'DRIVES')?.status);
  });
});

describe('bounds', () => {
  test('keeps fewer fixes of each unit the more units there are', () => {
    const memory = createFleetMemory({ ...settings, trackFixesTotal: 100, trackFixesLeast: 8 }, USDOT);
    const keys = Array.from({ length: 50 }, (_, i) => `UNIT${i}`);
    for (let m = 0; m < 20; m++)
      memory.observe(
        keys.map((key) => unitAt(key, m, m * 500)),
        null,
        minute(m),
      );
    expect(memory.detail('UNIT7', 'e.1')?.track).toHaveLength(8);
  });

  test('renumbers the rows once most of them are empty', () => {
    const memory = createFleetMemory(settings, USDOT);
    const roster = new Set(['A', 'B', 'C', 'D', 'E']);
    memory.observe([unitAt('LAST', 0, 0)], roster, START_MS);
    expect(memory.compact()).toBe(false);
    memory.observe([unitAt('LAST', 1, 500)], new Set(['E']), minute(1));
    const before = say(memory, 'LAST');
    expect(memory.copyRows().rows).toBe(6);
    expect(memory.compact()).toBe(true);
    expect(memory.copyRows().identities.map((identity) => identity?.key)).toEqual(['LAST', 'E']);
    expect(say(memory, 'LAST')).toEqual(before);
    memory.observe([unitAt('LAST', 2, 1000), unitAt('A', 2, 0)], new Set(['E']), minute(2));
    expect(memory.copyRows().identities.map((identity) => identity?.key)).toEqual(['LAST', 'E', 'A']);
    expect(say(memory, 'LAST')).toMatchObject({ status: 'moving' });
  });

  test('returns rows that later answers do not change', () => {
    const memory = watch(2);
    const before = memory.copyRows();
    const copy = structuredClone(before);
    memory.observe([unitAt('DRIVES', 3, 4500), unitAt('NEW', 3, 0)], null, minute(3));
    expect(before).toEqual(copy);
  });
});
