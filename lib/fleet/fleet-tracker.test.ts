import { describe, expect, test } from 'vitest';
import { MINUTE_MS, START_MS } from '@/testing/motion/fixes';
import type { TrackedUnit } from '@/lib/tracking/unit';
import { NO_POSITION, NOT_DERIVED } from '@/lib/wire/fleet';
import { REASONS, STATUSES, toFlags } from '@/lib/motion/status';
import { FleetTracker } from './fleet-tracker';
import { DEFAULT_LIVE_SETTINGS } from './settings';
import { identityOf, unitAt } from '@/testing/live/tracked-units';

const settings = { ...DEFAULT_LIVE_SETTINGS, emptyRowsLeast: 3 };
const USDOT = '9000001';
const minute = (minutes: number) => START_MS + minutes * MINUTE_MS;

const say = (tracker: FleetTracker, key: string) => {
  const { identities, columns } = tracker.copyRows();
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
const watch = (until: number, roster: ReadonlySet<string> | null = null): FleetTracker => {
  const tracker = new FleetTracker(settings, USDOT);
  for (let m = 0; m <= until; m++) {
    tracker.observe([unitAt('DRIVES', m, m * 1500), unitAt('STANDS', m, 0)], roster, minute(m));
  }
  return tracker;
};

describe('units that are listed', () => {
  test('are shown by their own fixes, with speed and heading only where they move', () => {
    const tracker = watch(4);
    expect(say(tracker, 'DRIVES')).toEqual({
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
    expect(say(tracker, 'STANDS')).toMatchObject({
      row: 1,
      status: 'stopped',
      sinceS: START_MS / 1000,
      speedKph: NOT_DERIVED,
      headingDeg: NOT_DERIVED,
    });
  });

  test('keep their rows while others come and go', () => {
    const tracker = watch(2);
    tracker.observe([unitAt('NEW', 3, 0), unitAt('STANDS', 3, 0)], null, minute(3));
    expect(say(tracker, 'NEW')?.row).toBe(2);
    expect(say(tracker, 'STANDS')?.row).toBe(1);
    expect(say(tracker, 'DRIVES')?.row).toBe(0);
  });

  test('are never plotted at a position that they did not report', () => {
    const tracker = new FleetTracker(settings, USDOT);
    const lost: TrackedUnit = {
      ...unitAt('LOST', 0, 0),
      position: null,
      flags: [{ flag: 'noPosition', text: 'It gave 0, 0.' }],
    };
    tracker.observe([lost], null, START_MS);
    expect(say(tracker, 'LOST')).toMatchObject({
      status: 'unknown',
      reason: 'noFix',
      latE5: NO_POSITION,
      fixAtS: 0,
      flags: ['noPosition'],
    });
  });

  test('are shown without a time where theirs lies in the future, until a sane fix comes', () => {
    const tracker = new FleetTracker(settings, USDOT);
    tracker.observe([unitAt('AHEAD', 60, 1000)], null, START_MS);
    expect(say(tracker, 'AHEAD')).toMatchObject({ reason: 'noFix', latE5: 3_500_899, fixAtS: 0 });
    tracker.observe([unitAt('AHEAD', 1, 0)], null, minute(1));
    tracker.observe([unitAt('AHEAD', 60, 1000)], null, minute(2));
    expect(say(tracker, 'AHEAD')).toMatchObject({
      reason: 'oneFix',
      latE5: 3_500_000,
      fixAtS: minute(1) / 1000,
    });
  });

  test('are renamed when the provider renames them, and only then', () => {
    const tracker = watch(1);
    const before = tracker.copyRows().identities;
    tracker.observe([unitAt('DRIVES', 2, 3000), unitAt('STANDS', 2, 0)], null, minute(2));
    expect(tracker.copyRows().identities[0]).toBe(before[0]);
    const renamed = unitAt('STANDS', 3, 0, { identity: identityOf('STANDS', { truckNumber: '12' }) });
    tracker.observe([unitAt('DRIVES', 3, 4500), renamed], null, minute(3));
    const after = tracker.copyRows().identities;
    expect(after[0]).toBe(before[0]);
    expect(after[1]?.truckNumber).toBe('12');
  });
});

describe('units that are listed without news', () => {
  test('become late and silent in their time, as units watched in between do', () => {
    const tracker = watch(4);
    const same = [unitAt('DRIVES', 4, 6000), unitAt('STANDS', 4, 0)];
    for (const [m, status, reason] of [
      [6.9, 'moving', 'displaced'],
      [7, 'late', 'overdue'],
      [33.9, 'late', 'overdue'],
      [34, 'silent', 'quiet'],
    ] as const) {
      tracker.observe(same, null, minute(m));
      expect(say(tracker, 'DRIVES')).toMatchObject({ status, reason, speedKph: 90 });
    }
  });

  test('lose a flag once the provider has not sent it for a while', () => {
    const tracker = new FleetTracker(settings, USDOT);
    const flagged = unitAt('A', 0, 0, { flags: [{ flag: 'clockFault', text: 'Two clocks.' }] });
    tracker.observe([flagged], null, START_MS);
    expect(say(tracker, 'A')?.flags).toEqual(['clockFault']);
    const seen = [1, 2, 5, 6, 7].map((m) => {
      tracker.observe([unitAt('A', m, 0)], null, minute(m));
      return say(tracker, 'A')?.flags.length;
    });
    expect(seen).toEqual([1, 1, 1, 0, 0]);
  });
});

describe('units that left the list', () => {
  test('are silent since they left, by their last motion, with their last speed', () => {
    const tracker = watch(4);
    tracker.observe([], null, minute(5));
    tracker.observe([], null, minute(7));
    expect(say(tracker, 'DRIVES')).toMatchObject({
      status: 'silent',
      reason: 'vanishedMoving',
      sinceS: minute(5) / 1000,
      speedKph: 90,
    });
    expect(say(tracker, 'STANDS')).toMatchObject({ status: 'silent', reason: 'vanishedStopped' });
  });

  test('continue where they were when they return', () => {
    const tracker = watch(4);
    tracker.observe([], null, minute(5));
    tracker.observe([unitAt('STANDS', 6, 10)], null, minute(6));
    expect(say(tracker, 'STANDS')).toMatchObject({ status: 'stopped', sinceS: START_MS / 1000 });
  });

  test('are forgotten after a while, unless the roster has them', () => {
    const tracker = watch(4, new Set(['STANDS']));
    const roster = new Set(['STANDS']);
    tracker.observe([], roster, minute(5));
    tracker.observe([], roster, minute(124));
    expect(say(tracker, 'DRIVES')).not.toBeNull();
    tracker.observe([], roster, minute(125));
    expect(say(tracker, 'DRIVES')).toBeNull();
    expect(say(tracker, 'STANDS')).toMatchObject({ row: 1, reason: 'vanishedStopped' });
    const { rows, identities, columns } = tracker.copyRows();
    expect([rows, identities[0], columns.latE5[0]]).toEqual([2, null, NO_POSITION]);
  });
});

describe('the roster', () => {
  const known = identityOf('STANDS', { truckNumber: '116' });
  const recorded = {
    answeredAtMs: null,
    fixes: new Map<string, string>(),
    states: { units: [], values: new Int32Array(0) },
    identities: new Map([['STANDS', JSON.stringify(known)]]),
    motions: new Map<string, string>(),
  };
  const roster = new Set(['STANDS', 'NEW']);
  const learned: [when: string, learn: (tracker: FleetTracker, before: boolean) => void][] = [
    ['recorded before a restart', (tracker, before) => before && tracker.restore(recorded)],
    [
      'recorded, which is read after the first roster',
      (tracker, before) => before || tracker.restore(recorded),
    ],
    ['learned before the roster', (tracker, before) => before && tracker.learnNames([known])],
    ['learned later', (tracker, before) => before || tracker.learnNames([known])],
  ];

  test.each(learned)('names a silent unit as it was %s', (_, learn) => {
    const tracker = new FleetTracker(settings, USDOT);
    tracker.observe([], null, minute(0));
    learn(tracker, true);
    tracker.observe([], new Set(['OTHER']), minute(1));
    tracker.observe([], roster, minute(2));
    learn(tracker, false);
    tracker.observe([], roster, minute(3));
    expect(tracker.copyRows().identities.slice(-2)).toEqual([known, identityOf('NEW')]);
    expect(say(tracker, 'STANDS')).toMatchObject({ status: 'silent', reason: 'neverSeen' });
    tracker.observe([], new Set(['NEW']), minute(4));
    tracker.observe([], roster, minute(5));
    expect(tracker.copyRows().identities).toContainEqual(known);
  });

  test('leaves a listed unit the names that the list gives it, and renames one that left the list', () => {
    const tracker = watch(3);
    const renamed = identityOf('DRIVES', { truckNumber: '9' });
    tracker.learnNames([renamed]);
    tracker.observe([unitAt('STANDS', 4, 0)], null, minute(4));
    expect(tracker.detail('DRIVES', 'e.1')!.identity.truckNumber).toBeNull();
    tracker.observe([unitAt('STANDS', 5, 0)], null, minute(5));
    tracker.learnNames([renamed]);
    tracker.observe([unitAt('STANDS', 6, 0)], null, minute(6));
    expect(tracker.detail('DRIVES', 'e.1')).toMatchObject({ identity: renamed, reason: 'vanishedMoving' });
  });

  test('adds the VINs that were never seen, as silent and without a position', () => {
    const tracker = watch(2, new Set(['STANDS', 'DRIVES', 'GHOST']));
    expect(say(tracker, 'GHOST')).toEqual({
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
    const tracker = new FleetTracker(settings, USDOT);
    tracker.observe([], roster, START_MS);
    tracker.observe(
      [unitAt('GHOST', 1, 0, { identity: identityOf('GHOST', { truckNumber: '7' }) })],
      roster,
      minute(1),
    );
    expect(tracker.copyRows().identities).toEqual([identityOf('GHOST', { truckNumber: '7' })]);
    expect(say(tracker, 'GHOST')).toMatchObject({ status: 'unknown', reason: 'oneFix' });
  });

  test('flags units that are not on it, but only when it could be read', () => {
    expect(say(watch(1, null), 'DRIVES')?.flags).toEqual([]);
    expect(say(watch(1, new Set(['STANDS'])), 'DRIVES')?.flags).toEqual(['notOnRoster']);
    expect(say(watch(1, new Set(['STANDS'])), 'STANDS')?.flags).toEqual([]);
    // A fleet that reports has vehicles: an empty roster counts as no roster.
    expect(say(watch(1, new Set()), 'DRIVES')?.flags).toEqual([]);
  });

  test('does not flag a unit without a VIN, which no roster could have', () => {
    const tracker = new FleetTracker(settings, USDOT);
    tracker.observe([unitAt('device:7', 0, 0)], new Set(['STANDS']), START_MS);
    expect(say(tracker, 'device:7')?.flags).toEqual([]);
  });

  test('drops a VIN that was taken off before it was seen', () => {
    const tracker = watch(1, new Set(['DRIVES', 'STANDS', 'GHOST']));
    tracker.observe([unitAt('DRIVES', 2, 3000)], new Set(['DRIVES', 'STANDS']), minute(2));
    expect(say(tracker, 'GHOST')).toBeNull();
    expect(say(tracker, 'STANDS')).not.toBeNull();
  });
});

describe('jumps', () => {
  test('a bus at 120 mph is doubted for as long as its fixes say so', () => {
    const tracker = watch(2);
    for (let m = 3; m < 8; m++) {
      tracker.observe([unitAt('DRIVES', m, 3000 + (m - 2) * 3219)], null, minute(m));
      expect(say(tracker, 'DRIVES')?.flags).toEqual(['impossibleJump']);
      expect(say(tracker, 'DRIVES')?.speedKph).toBeLessThan(100);
    }
    expect(tracker.detail('DRIVES', 'e.1')!.flags[0]!.text).toContain('mph');
  });

  test('are flagged and unconfirmed until a second fix confirms them', () => {
    const tracker = watch(2);
    tracker.observe([unitAt('DRIVES', 3, 90_000)], null, minute(3));
    expect(say(tracker, 'DRIVES')).toMatchObject({ flags: ['impossibleJump'], fixAtS: minute(2) / 1000 });
    const detail = tracker.detail('DRIVES', 'v.1');
    expect(detail?.unconfirmed).toMatchObject({ fixAtMs: minute(3) });
    expect(detail?.flags).toEqual([
      {
        flag: 'impossibleJump',
        text: 'A fix lies 54 mi from the one 1 min before: 3,244 mph. The old place is shown until a second fix confirms the new one.',
      },
    ]);
    tracker.observe([unitAt('DRIVES', 4, 91_000)], null, minute(4));
    expect(say(tracker, 'DRIVES')).toMatchObject({ fixAtS: minute(4) / 1000, status: 'moving' });
    expect(tracker.detail('DRIVES', 'v.1')?.flags[0]?.text).toContain(
      'It has not been so since 2026-03-10 14:04:00 UTC',
    );
    for (let m = 5; m < 10; m++)
      tracker.observe([unitAt('DRIVES', m, 91_000 + (m - 4) * 1000)], null, minute(m));
    expect(say(tracker, 'DRIVES')?.flags).toEqual([]);
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
      unconfirmed: null,
      evidence: { spanMs: MINUTE_MS, fixes: 2 },
      flags: [{ flag: 'notOnRoster', text: "It reports, but is not on the fleet's roster of 1 VIN." }],
    });
    expect(detail?.track.map(({ fixAtMs }) => fixAtMs)).toEqual([0, 1, 2, 3, 4].map(minute));
  });

  test('is null for a unit that the fleet does not have', () => {
    expect(watch(1).detail('UNKNOWN', 'e.1')).toBeNull();
  });

  test('agrees with the rows, however late it is read', () => {
    const tracker = watch(4);
    expect(tracker.detail('DRIVES', 'e.1')?.status).toBe(say(tracker, 'DRIVES')?.status);
  });
});

describe('bounds', () => {
  test('keeps fewer fixes of each unit the more units there are', () => {
    const tracker = new FleetTracker({ ...settings, trackFixesTotal: 100, trackFixesLeast: 8 }, USDOT);
    const keys = Array.from({ length: 50 }, (_, i) => `UNIT${i}`);
    for (let m = 0; m < 20; m++)
      tracker.observe(
        keys.map((key) => unitAt(key, m, m * 500)),
        null,
        minute(m),
      );
    expect(tracker.detail('UNIT7', 'e.1')?.track).toHaveLength(8);
  });

  test('renumbers the rows once most of them are empty', () => {
    const tracker = new FleetTracker(settings, USDOT);
    const roster = new Set(['A', 'B', 'C', 'D', 'E']);
    tracker.observe([unitAt('LAST', 0, 0)], roster, START_MS);
    expect(tracker.compact()).toBe(false);
    tracker.observe([unitAt('LAST', 1, 500)], new Set(['E']), minute(1));
    const before = say(tracker, 'LAST');
    expect(tracker.copyRows().rows).toBe(6);
    expect(tracker.compact()).toBe(true);
    expect(tracker.copyRows().identities.map((identity) => identity?.key)).toEqual(['LAST', 'E']);
    expect(say(tracker, 'LAST')).toEqual(before);
    tracker.observe([unitAt('LAST', 2, 1000), unitAt('A', 2, 0)], new Set(['E']), minute(2));
    expect(tracker.copyRows().identities.map((identity) => identity?.key)).toEqual(['LAST', 'E', 'A']);
    expect(say(tracker, 'LAST')).toMatchObject({ status: 'moving' });
  });

  test('returns rows that later answers do not change', () => {
    const tracker = watch(2);
    const before = tracker.copyRows();
    const copy = structuredClone(before);
    tracker.observe([unitAt('DRIVES', 3, 4500), unitAt('NEW', 3, 0)], null, minute(3));
    expect(before).toEqual(copy);
  });
});
