import { afterEach, beforeEach, expect, it } from 'vitest';
import { APPLICATION_PART, openDatabase, type Database } from '@/lib/database/database';
import { clockOf } from '@/testing/clock';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import { FleetWatches } from './fleet-watches';

const USDOT = '9000001';
const log = { warn: () => undefined, debug: () => undefined };

let test: TestDatabase;
let database: Database;
let isAway: boolean;
let timers: (() => void)[];
let reloaded: string[];
/** A recording that is still being made, or that has polls which are not written. */
let isSettled: boolean;

beforeEach(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.databaseUrl, APPLICATION_PART, log);
  [isAway, timers, reloaded, isSettled] = [false, [], [], true];
  await database.pool.query(
    `INSERT INTO linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
     VALUES ($1, 'Yard', 'yard', '#123456', 75, '{}', 'test', now(), now())`,
    [USDOT],
  );
  const addRule = `INSERT INTO linehaul.alert_rules
      (usdot, name, condition, units, severity, cool_down_min, is_enabled, made_by, created_at, updated_at)
    VALUES ($1, $2, '{"kind":"late"}', '{"type":"all"}', 'info', 0, $3, 'test', now(), now())`;
  await database.pool.query(addRule, [USDOT, 'On', true]);
  await database.pool.query(addRule, [USDOT, 'Off', false]);
  await database.pool.query(addRule, ['7654321', 'Of another fleet', true]);
  await database.pool.query(
    "INSERT INTO linehaul.unit_tags (usdot, tag, unit) VALUES ($1, 'flatbed', 'A'), ($1, 'flatbed', 'B')",
    [USDOT],
  );
});
afterEach(async () => {
  await database.pool.end();
  await test.drop();
});

const setUp = (isRecorded: boolean): FleetWatches =>
  new FleetWatches({
    open: async () => {
      if (isAway) throw new Error('The database is away.');
      return database;
    },
    recording: isRecorded
      ? {
          settle: async () => {
            if (!isSettled) throw new Error('Polls are not written yet.');
          },
          readLastMinutes: async () => null,
        }
      : null,
    reload: (usdot) => reloaded.push(usdot),
    clock: clockOf(
      () => 0,
      (run) => {
        timers.push(run);
        return () => undefined;
      },
    ),
    log,
  });

it('a fleet is watched for its sites and enabled rules, with the units of its tags', async () => {
  const watch = await setUp(true).read(USDOT);
  expect(watch?.config.sites.map(({ name }) => name)).toEqual(['Yard']);
  expect(watch?.config.rules.map(({ name }) => name)).toEqual(['On']);
  expect(watch?.config.tags).toEqual({ flatbed: ['A', 'B'] });
  expect([watch?.visits, watch?.alerts]).toEqual([[], []]);
});

it('without a recording it is watched for its sites alone', async () => {
  const watch = await setUp(false).read(USDOT);
  expect(watch).toMatchObject({ config: { sites: [{ name: 'Yard' }], rules: [], tags: {} }, visits: null });
});

it('while the database is away, or what was found is not written, nothing is watched by what may be open', async () => {
  const watches = setUp(true);
  isAway = true;
  expect(await watches.read(USDOT)).toBeNull();
  [isAway, isSettled] = [false, false];
  expect(await watches.read(USDOT, 'watch-again')).toBeNull();
  isSettled = true;
  // However often it failed.
  for (const run of timers) run();
  expect(reloaded).toEqual([USDOT]);
  expect((await watches.read(USDOT))?.config.rules).toHaveLength(1);
});

it('is not tried again after the server has closed', async () => {
  isAway = true;
  const watches = setUp(true);
  await watches.read(USDOT);
  watches.close();
  for (const run of timers.splice(0)) run();
  expect(await watches.read(USDOT)).toBeNull();
  expect(timers).toEqual([]);
});

it('reads a watch at once after a change, and once more after several that follow', () => {
  const watches = setUp(true);
  for (let change = 0; change < 100; change += 1) watches.reload(USDOT);
  expect(reloaded).toEqual([USDOT]);
  timers.shift()!();
  expect(reloaded).toEqual([USDOT, USDOT]);
  timers.shift()!();
  expect([reloaded.length, timers.length]).toEqual([2, 0]);
  watches.reload(USDOT);
  expect(reloaded).toHaveLength(3);
});
