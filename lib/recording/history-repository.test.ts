import { describe, expect, it } from 'vitest';
import type { CoverageInterval } from '@/lib/trips/coverage';
import { FencedError, HistoryRepository, requireFence } from './history-repository';
import { changesOf, setUpRecording } from '@/testing/history/recording';
import { identityOf } from '@/testing/live/tracked-units';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { toTexts } from '@/lib/fleet/poll-changes';
import { MINUTE_MS, HOUR_MS } from '@/lib/base/time';
import { readLastCoverage } from './coverage';

const USDOT = '1234567';
const VIN = '1M8GDM9AXKP042788';
/** The begin of an hour. */
const HOUR = 495_000 * HOUR_MS;

const held = setUpRecording();

type Fix = [unit: string, fixMs: number, lat?: number, lng?: number, isByReceipt?: boolean];

const write = (seenMs: number, fixes: Fix[], coverage: CoverageInterval[] = []): Promise<void> => {
  const rows = fixes.map(([unit, fixMs, lat = 35, lng = -101, isByReceipt = false]) => ({
    unit,
    fixMs,
    lat,
    lng,
    isByReceipt,
  }));
  return held.write({ usdot: USDOT, seenMs, changes: changesOf(seenMs, rows), coverage });
};

const readFixes = () =>
  held.database.query(
    `SELECT usdot, unit, fix_ms::float8, seen_ms::float8, lat_e5, lng_e5, is_by_receipt
     FROM linehaul.fixes ORDER BY unit, fix_ms`,
  );

const listPartitions = async (table = 'fixes') => {
  const rows = await held.database.query(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
     WHERE inhparent = $1::regclass ORDER BY 1`,
    [`linehaul.${table}`],
  );
  return rows.map(({ name }) => name);
};

describe('fixes', () => {
  it('are stored as they are, with names in any letters', async () => {
    await write(HOUR + 5000, [
      [VIN, HOUR + 1000, 30.267_153, -97.743_061],
      ['Übung 北', HOUR - 3 * MINUTE_MS, -0.000_01, 179.999_99, true],
    ]);
    const both = { usdot: USDOT, seen_ms: HOUR + 5000 };
    expect(await readFixes()).toEqual([
      {
        ...both,
        unit: VIN,
        fix_ms: HOUR + 1000,
        lat_e5: 3_026_715,
        lng_e5: -9_774_306,
        is_by_receipt: false,
      },
      {
        ...both,
        unit: 'Übung 北',
        fix_ms: HOUR - 3 * MINUTE_MS,
        lat_e5: -1,
        lng_e5: 17_999_999,
        is_by_receipt: true,
      },
    ]);
  });

  it('are stored once, also in the next hour and by a restarted process', async () => {
    const last: Fix = [VIN, HOUR + 59 * MINUTE_MS];
    await write(HOUR + 59.5 * MINUTE_MS, [last]);
    await write(HOUR + 59.6 * MINUTE_MS, [last, last]);
    await write(HOUR + 61 * MINUTE_MS, [last, [VIN, HOUR + 60.5 * MINUTE_MS]]);
    held.history = new HistoryRepository(held.pool);
    await write(HOUR + 200 * MINUTE_MS, [last]);
    expect((await readFixes()).map(({ fix_ms }) => fix_ms)).toEqual([last[1], HOUR + 60.5 * MINUTE_MS]);
  });

  it('are stored at their own time where they come late', async () => {
    await write(HOUR + 5000, [[VIN, HOUR]]);
    await write(HOUR + 30 * HOUR_MS, [
      [VIN, HOUR - 20 * MINUTE_MS],
      [VIN, HOUR + HOUR_MS],
    ]);
    expect((await readFixes()).map(({ fix_ms }) => fix_ms)).toEqual([
      HOUR - 20 * MINUTE_MS,
      HOUR,
      HOUR + HOUR_MS,
    ]);
  });
});

it('an identity is stored when it changes, and stays while only the roster names the unit', async () => {
  const seen: Partial<UnitIdentity>[] = [
    {},
    { truckNumber: '116', make: 'Volvo' },
    {},
    { truckNumber: '117' },
  ];
  for (const [minute, names] of seen.entries()) {
    const seenMs = HOUR + minute * MINUTE_MS;
    const identities = {
      count: 1,
      columns: [toTexts([VIN]), toTexts([JSON.stringify(identityOf(VIN, names))])],
    };
    await held.write({ usdot: USDOT, seenMs, changes: { ...changesOf(seenMs, []), identities } });
  }
  const stored = await held.database.query(
    `SELECT identity ->> 'truckNumber' AS number, identity ->> 'make' AS make FROM linehaul.unit_identities ORDER BY seen_ms`,
  );
  expect(stored.map(({ number, make }) => [number, make])).toEqual([
    [null, null],
    ['116', 'Volvo'],
    ['117', null],
  ]);
});

describe('partitions', () => {
  it('are made ahead', async () => {
    await write(HOUR, [[VIN, HOUR]]);
    expect(await listPartitions()).toEqual([495_000, 495_001, 495_002].map((hour) => `fixes_h${hour}`));
  });

  it('are made again where they are gone', async () => {
    await write(HOUR, [[VIN, HOUR]]);
    await held.database.query('DROP TABLE linehaul.fixes_h495000');
    await expect(write(HOUR + 1000, [[VIN, HOUR]])).rejects.toThrow('no partition');
    await write(HOUR + 1000, [[VIN, HOUR]]);
    expect(await readFixes()).toHaveLength(1);
  });
});

describe('coverage', () => {
  const answered: CoverageInterval = { fromMs: HOUR, toMs: HOUR, state: 'answered', problem: null };

  it('grows by poll, in the transaction of the fixes', async () => {
    expect(await readLastCoverage(held.pool, USDOT)).toBeNull();
    await write(HOUR, [], [answered]);
    await write(HOUR + 5000, [], [{ ...answered, toMs: HOUR + 5000 }]);
    expect(await readLastCoverage(held.pool, USDOT)).toEqual({ ...answered, toMs: HOUR + 5000 });
    const failing: CoverageInterval = {
      fromMs: HOUR + 5000,
      toMs: HOUR + 9000,
      state: 'failing',
      problem: 'http',
    };
    await write(HOUR + 9000, [], [failing]);
    expect(await readLastCoverage(held.pool, USDOT)).toEqual(failing);
    const impossible = { ...failing, fromMs: HOUR + 9000, state: 'other' as 'lost' };
    await expect(write(HOUR + 9500, [[VIN, HOUR]], [impossible])).rejects.toThrow('coverage_state_known');
    expect(await readFixes()).toEqual([]);
  });
});

describe('a fleet that another server has taken over', () => {
  const entryOf = (fence: number, unit: string) => ({
    usdot: USDOT,
    fence,
    statusCounts: null,
    seenMs: HOUR,
    changes: changesOf(HOUR, [{ unit, fixMs: HOUR }]),
    coverage: [{ fromMs: HOUR, toMs: HOUR, state: 'answered', problem: null } as const],
  });
  const unitsOf = async () => (await readFixes()).map(({ unit }) => unit);

  it('is not written by the server that had it before, which changes nothing', async () => {
    const { history } = held;
    await history.write(entryOf(7, 'BEFORE'));
    await requireFence(held.pool, USDOT, 8);
    await expect(history.write(entryOf(7, 'LATE'))).rejects.toThrow(FencedError);
    expect(await unitsOf()).toEqual(['BEFORE']);
    await history.write(entryOf(8, 'AFTER'));
    expect(await unitsOf()).toEqual(['AFTER', 'BEFORE']);
  });

  it('is claimed by the newest lease alone', async () => {
    await requireFence(held.pool, USDOT, 8);
    await expect(requireFence(held.pool, USDOT, 7)).rejects.toThrow(FencedError);
    await requireFence(held.pool, USDOT, 8);
  });
});

it('notes, tags, contacts and listings of a truck go with it to another key, and none to the truck that has its former one next', async () => {
  const { database } = held;
  await database.query(
    `INSERT INTO linehaul.unit_notes (usdot, unit, text, author, created_ms) VALUES ($1, 'WAS', 'Brakes', 'Ann', 1), ('2', 'WAS', 'Other', 'Ann', 1)`,
    [USDOT],
  );
  await database.query(
    `INSERT INTO linehaul.unit_tags (usdot, tag, unit) VALUES ($1, 'flatbed', 'WAS'), ($1, 'night', 'WAS'), ($1, 'night', 'IS'), ('2', 'night', 'WAS')`,
    [USDOT],
  );
  await database.query(
    `INSERT INTO linehaul.unit_contacts (usdot, unit, driver, changed_ms) VALUES ($1, 'WAS', 'Ann', 1), ('2', 'WAS', 'Ben', 1), ('2', 'IS', 'Kim', 2)`,
    [USDOT],
  );
  const rule = (units: string[]) =>
    database.query(
      `INSERT INTO linehaul.alert_rules (usdot, name, condition, units, severity, cool_down_min, is_enabled, made_by, created_at, updated_at)
       VALUES ($1, 'R', '{"kind":"late"}', $2, 'info', 0, true, 'Ann', now(), now())`,
      [USDOT, JSON.stringify({ type: 'units', units })],
    );
  await rule(['A', 'WAS', 'B']);
  await rule(['WAS', 'IS']);
  await rule(['A']);
  await database.query(
    `INSERT INTO linehaul.users (id, name, email) VALUES ('u', 'Ann', 'ann@carrier.test')`,
  );
  await database.query(
    `INSERT INTO linehaul.report_mails (user_id, usdot, kind, unit, at_min, time_zone, weekdays, hours)
     VALUES ('u', $1, 'miles', 'WAS', 0, 'UTC', '{1}', 24), ('u', '2', 'miles', 'WAS', 0, 'UTC', '{1}', 24)`,
    [USDOT],
  );
  await held.write({ usdot: USDOT, seenMs: HOUR, renamed: [['WAS', 'IS']] });
  const rules = await database.query('SELECT units FROM linehaul.alert_rules ORDER BY id');
  expect(rules.map(({ units }) => (units as { units: string[] }).units)).toEqual([
    ['A', 'B', 'IS'],
    ['IS'],
    ['A'],
  ]);
  expect(await database.query('SELECT usdot, unit FROM linehaul.report_mails ORDER BY usdot')).toEqual([
    { usdot: USDOT, unit: 'IS' },
    { usdot: '2', unit: 'WAS' },
  ]);
  expect(await database.query('SELECT usdot, unit, text FROM linehaul.unit_notes ORDER BY id')).toEqual([
    { usdot: USDOT, unit: 'IS', text: 'Brakes' },
    { usdot: '2', unit: 'WAS', text: 'Other' },
  ]);
  expect(await database.query('SELECT usdot, tag, unit FROM linehaul.unit_tags ORDER BY 1, 2, 3')).toEqual([
    { usdot: USDOT, tag: 'flatbed', unit: 'IS' },
    { usdot: USDOT, tag: 'night', unit: 'IS' },
    { usdot: '2', tag: 'night', unit: 'WAS' },
  ]);
  await held.write({ usdot: '2', seenMs: HOUR, renamed: [['WAS', 'IS']] });
  expect(
    await database.query('SELECT usdot, unit, driver FROM linehaul.unit_contacts ORDER BY usdot'),
  ).toEqual([
    { usdot: USDOT, unit: 'IS', driver: 'Ann' },
    { usdot: '2', unit: 'IS', driver: 'Kim' },
  ]);
});
