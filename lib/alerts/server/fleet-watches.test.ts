import { afterEach, beforeEach, expect, it } from 'vitest';
import { APPLICATION_PART, openDatabase, type Database } from '@/lib/database/database';
import { clockOf } from '@/testing/clock';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { WatchStart } from '@/lib/rules/fleet-watch';
import { FleetWatches } from './fleet-watches';

const USDOT = '9000001';
const log = { warn: () => undefined, debug: () => undefined };

let test: TestDatabase;
let database: Database;
let isAway: boolean;
let timers: (() => void)[];
let sent: WatchStart[];
/** Resolves once the database can be opened. */
let opening: Promise<void>;

beforeEach(async () => {
  test = await createTestDatabase();
  database = openDatabase(test.databaseUrl, APPLICATION_PART, log);
  [isAway, timers, sent, opening] = [false, [], [], Promise.resolve()];
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
      await opening;
      if (isAway) throw new Error('The database is away.');
      return database;
    },
    readPast: isRecorded ? async () => null : null,
    setWatch: (_, watch) => sent.push(watch),
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
  expect(watch).toMatchObject({ config: { sites: [{ name: 'Yard' }], rules: [], tags: {} }, alerts: [] });
});

it('what a database that is away does not give is sent to the feed once it is back', async () => {
  isAway = true;
  expect(await setUp(true).read(USDOT)).toBeNull();
  isAway = false;
  for (const run of timers) run();
  await expect.poll(() => sent.map(({ config }) => config.rules.length)).toEqual([1]);
});

it('a change that is read faster than the one before it is what the feed keeps', async () => {
  const watches = setUp(true);
  let answerFirst = (): void => undefined;
  opening = new Promise((resolve) => (answerFirst = resolve));
  watches.reload(USDOT);
  opening = Promise.resolve();
  await database.pool.query('UPDATE linehaul.alert_rules SET is_enabled = false');
  watches.reload(USDOT);
  await expect.poll(() => sent.map(({ config }) => config.rules.length)).toEqual([0]);
  answerFirst();
  await watches.read(USDOT);
  expect(sent).toHaveLength(1);
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
