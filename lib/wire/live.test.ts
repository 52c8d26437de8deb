import { describe, expect, test } from 'vitest';
import { COLUMNS, NO_POSITION, NOT_DERIVED, type Fleet, type UnitIdentity } from './fleet';
import { applyLiveAnswer, createColumns, toGaps, type LiveAnswer } from './live';
import { fromLiveBytes, toLiveBytes } from './live-bytes';
import { REASONS, STATUSES, toFlagMask, toFlags } from '@/lib/motion/status';

const AT_AMARILLO: UnitIdentity = {
  key: '1FUJGLDR12LM12345',
  vin: '1FUJGLDR12LM12345',
  truckNumber: '4711',
  plateState: 'TX',
  plateNumber: 'R12 3456',
  make: 'Freightliner',
  model: null,
  year: 2022,
  fuelType: null,
  assetType: null,
  deviceId: null,
};
const WITHOUT_VIN: UnitIdentity = {
  key: 'device:77',
  vin: null,
  truckNumber: 'T 2',
  plateState: null,
  plateNumber: null,
  make: 'Freightliner',
  model: null,
  year: null,
  fuelType: 'Diesel',
  assetType: null,
  deviceId: '77',
};

/** Two units at Amarillo, one of them without a position. */
const WHOLE: LiveAnswer = {
  usdot: '9000001',
  version: 'k3.7',
  since: null,
  nowMs: 1773151200000,
  nextPollMs: 10250,
  rows: 2,
  named: { rows: [0, 1], identities: [AT_AMARILLO, WITHOUT_VIN] },
  removed: [],
  motion: {
    rows: [0, 1],
    by: [
      [3519000, NO_POSITION],
      [-10185000, NO_POSITION],
      [1773151180, 0],
      [95, -1],
      [271, -1],
    ],
  },
  state: { rows: [1], by: [[4], [8], [0], [1], [300], [1112], [12]] },
  feed: {
    fetchedAtMs: 1773151199000,
    staleSinceMs: null,
    problem: null,
    nextAttemptAtMs: null,
    activeUnits: 2,
    rosterVins: null,
    droppedRecords: 0,
    repairedFields: 1,
    alertsRevision: 0,
  },
  account: { companyName: 'Panhandle Freight', companyId: 'pf', usdot: '9000001' },
};

/** The answer as a browser receives it, with changes. */
const parse = (changes: Partial<LiveAnswer> = {}): LiveAnswer => ({
  ...fromLiveBytes(toLiveBytes(WHOLE)),
  ...changes,
});

const NO_NAMES: LiveAnswer['named'] = { rows: [], identities: [] };

const change = (changes: Partial<LiveAnswer>): LiveAnswer =>
  parse({
    since: 'k3.7',
    version: 'k3.8',
    named: NO_NAMES,
    motion: { rows: [], by: [[], [], [], [], []] },
    state: { rows: [], by: [[], [], [], [], [], [], []] },
    ...changes,
  });

const rowOf = (fleet: Fleet, row: number) =>
  Object.fromEntries(COLUMNS.map((name) => [name, fleet.columns[name][row]]));

describe('a whole answer', () => {
  test('becomes a fleet, row by row', () => {
    const fleet = applyLiveAnswer(null, parse());
    expect(fleet).toMatchObject({ usdot: '9000001', version: 'k3.7', rows: 2 });
    expect(fleet.feed.repairedFields).toBe(1);
    expect(fleet.account?.companyName).toBe('Panhandle Freight');
    expect(fleet.identities).toEqual([AT_AMARILLO, WITHOUT_VIN]);
    expect(rowOf(fleet, 0)).toEqual({
      latE5: 3519000,
      lngE5: -10185000,
      fixAtS: 1773151180,
      speedKph: 95,
      headingDeg: 271,
      status: STATUSES.indexOf('moving'),
      reason: REASONS.indexOf('displaced'),
      sinceS: 0,
      flags: 0,
      datedAfterS: 0,
      coarseM: 0,
      siteId: 0,
    });
    expect(rowOf(fleet, 1)).toMatchObject({
      latE5: NO_POSITION,
      lngE5: NO_POSITION,
      speedKph: NOT_DERIVED,
      status: STATUSES.indexOf('unknown'),
      reason: REASONS.indexOf('noFix'),
      siteId: 12,
    });
    expect(toFlags(fleet.columns.flags[1]!)).toEqual(['noPosition']);
  });

  test('replaces the fleet that was held', () => {
    const held = applyLiveAnswer(null, parse());
    const fleet = applyLiveAnswer(held, parse({ version: 'm1.1' }));
    expect(fleet.version).toBe('m1.1');
    expect(fleet.columns.latE5).not.toBe(held.columns.latE5);
    expect(rowOf(fleet, 0).speedKph).toBe(95);
  });
});

describe('a change', () => {
  test('does not change the fleet before it, and shares the unchanged columns', () => {
    const held = applyLiveAnswer(null, parse());
    const fleet = applyLiveAnswer(
      held,
      change({
        motion: { rows: [0], by: [[-1200], [3], [30], [-4], [-271]] },
        state: { rows: [0], by: [[1], [1], [7], [0], [120], [0], [0]] },
      }),
    );
    expect(held).toEqual(applyLiveAnswer(null, parse()));
    const still = applyLiveAnswer(fleet, { ...change({}), since: fleet.version, version: 'k3.9' });
    expect(still.columns).toEqual(fleet.columns);
    expect(still.columns.latE5).toBe(fleet.columns.latE5);
    expect(rowOf(fleet, 0)).toMatchObject({
      latE5: 3517800,
      lngE5: -10184997,
      speedKph: 91,
      headingDeg: 0,
      status: 1,
    });
    expect(fleet.version).toBe('k3.8');
  });

  test('takes a unit from no position to one and back, whose difference exceeds 32 bits', () => {
    const held = applyLiveAnswer(null, parse());
    const placed = applyLiveAnswer(
      held,
      change({ motion: { rows: [1], by: [[3e6 - NO_POSITION], [-1e7 - NO_POSITION], [0], [0], [0]] } }),
    );
    expect(rowOf(placed, 1)).toMatchObject({ latE5: 3e6, lngE5: -1e7 });
    const gone = applyLiveAnswer(placed, {
      ...change({ motion: { rows: [1], by: [[NO_POSITION - 3e6], [NO_POSITION + 1e7], [0], [0], [0]] } }),
      since: 'k3.8',
      version: 'k3.9',
    });
    expect(rowOf(gone, 1)).toMatchObject({ latE5: NO_POSITION, lngE5: NO_POSITION });
  });

  test('has a new list of names only when a unit is renamed', () => {
    const held = applyLiveAnswer(null, parse());
    const names = [...held.identities];
    const moved = applyLiveAnswer(held, change({}));
    expect(moved.identities).toBe(held.identities);
    const left = applyLiveAnswer({ ...moved, version: held.version }, change({ removed: [0] }));
    expect(left.identities).not.toBe(held.identities);
    expect(held.identities).toEqual(names);
  });

  test('appends rows and empties others', () => {
    const held = applyLiveAnswer(null, parse());
    const fleet = applyLiveAnswer(
      held,
      change({
        rows: 4,
        removed: [0],
        named: { rows: [3], identities: [{ ...WITHOUT_VIN, key: 'truck:9', deviceId: null }] },
        motion: {
          rows: [0, 3],
          by: [
            [NO_POSITION - 3519000, 1],
            [0, 2],
            [0, 3],
            [0, 4],
            [0, 5],
          ],
        },
      }),
    );
    expect(fleet.identities.map((identity) => identity?.key ?? null)).toEqual([
      null,
      'device:77',
      null,
      'truck:9',
    ]);
    expect(fleet.columns.latE5.length).toBeGreaterThanOrEqual(4);
    expect(rowOf(fleet, 0).latE5).toBe(NO_POSITION);
    expect(rowOf(fleet, 3)).toMatchObject({ latE5: 1, lngE5: 2, fixAtS: 3, speedKph: 4, headingDeg: 5 });
    expect(rowOf(fleet, 1).latE5).toBe(NO_POSITION);
  });
});

describe('an answer that does not fit', () => {
  const misfits: [string, Partial<LiveAnswer>][] = [
    ['another version', { since: 'k3.6' }],
    ['fewer rows than are held', { rows: 1 }],
    ['a row beyond the fleet', { motion: { rows: [2], by: [[1], [1], [1], [1], [1]] } }],
    [
      'rows that do not ascend',
      {
        state: {
          rows: [1, 0],
          by: [
            [1, 1],
            [0, 0],
            [0, 0],
            [0, 0],
            [0, 0],
            [0, 0],
            [0, 0],
          ],
        },
      },
    ],
    ['a row before the first', { removed: [-1] }],
    ['half a row', { removed: [0.5] }],
    ['an identity beyond the fleet', { named: { rows: [5], identities: [AT_AMARILLO] } }],
    ['a row without its identity', { named: { rows: [1], identities: [] } }],
    ['a column that is too short', { motion: { rows: [0, 1], by: [[1, 1], [1, 1], [1, 1], [1, 1], [1]] } }],
    ['a column that is missing', { motion: { rows: [0], by: [[1], [1], [1], [1]] } }],
  ];

  test.each(misfits)('is refused for %s, and does not change the fleet that is held', (_, misfit) => {
    const held = applyLiveAnswer(null, parse());
    const before = structuredClone(held);
    expect(() =>
      applyLiveAnswer(held, change({ motion: { rows: [0], by: [[9], [9], [9], [9], [9]] }, ...misfit })),
    ).toThrow(RangeError);
    expect(held).toEqual(before);
  });

  test('is refused as a change when no fleet is held', () => {
    expect(() => applyLiveAnswer(null, change({}))).toThrow('nothing is held');
  });
});

test('codes ascending rows as gaps', () => {
  expect([...toGaps([3, 4, 9])]).toEqual([3, 1, 5]);
  expect([...toGaps([])]).toEqual([]);
});

test('makes columns of zeros', () => {
  expect(Object.keys(createColumns(3))).toEqual([...COLUMNS]);
  expect(createColumns(3).flags).toEqual(new Int32Array(3));
});

test('carries flags as a bit mask and back', () => {
  expect(toFlags(toFlagMask(['badVin', 'noPosition']))).toEqual(['noPosition', 'badVin']);
  expect(toFlagMask([])).toBe(0);
});
