import { toFeedFacts } from '@/lib/rules/engine/conditions';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clockOf } from '@/testing/clock';
import { createTestDatabase, type TestDatabase } from '@/testing/database';
import type { PollReport } from '@/lib/fleet/poll-report';
import { changesOf, openPool } from '@/testing/history/recording';
import { Recorder, type RecorderOptions } from './recorder';
import { MINUTE_MS } from '@/lib/base/time';

const USDOT = '1234567';
const START = 1_782_000_000_000;

let database: TestDatabase;
let nowMs = START;
let isAway = false;
let timers: (() => void)[] = [];
let warnings: string[] = [];
let polled: string[] = [];
let recordedAgain: string[] = [];
let recorder: Recorder;

const create = (
  shared: Pick<RecorderOptions, 'fenceOf' | 'onFenced' | 'onRefused' | 'providerOf'> = {},
): Recorder => {
  const clock = clockOf(
    () => nowMs,
    (run) => {
      timers.push(run);
      return () => (timers = timers.filter((each) => each !== run));
    },
  );
  const warn = (_: object, message: string) => void warnings.push(message);
  return new Recorder({
    open: async () => {
      if (isAway) throw new Error('The database is away.');
      return openPool(database.databaseUrl);
    },
    clock,
    log: { warn, error: warn },
    intervalMs: 30_000,
    ...shared,
  });
};

const start = (made: Recorder, usdots = [USDOT]): void =>
  made.start({
    listUsdots: () => usdots,
    pollOnce: async (usdot) => void polled.push(usdot),
    recordAll: async (usdot) => void recordedAgain.push(usdot),
  });

const setUp = (): Recorder => {
  const made = create();
  start(made);
  return made;
};
beforeEach(async () => {
  database = await createTestDatabase();
  [nowMs, isAway, timers, warnings, polled, recordedAgain] = [START, false, [], [], [], []];
  recorder = setUp();
});
afterEach(async () => {
  await recorder.close();
  await database.drop();
});

const report = (failure: PollReport['failure'] = null, usdot = USDOT): PollReport => ({
  usdot,
  failure,
  tookMs: 1,
  counts: { units: 1, byStatus: [], byFlag: [], fixesYoungerThan: [], newestFixAtMs: null },
});

/** One poll with one new fix. */
const poll = (afterMs: number): void => {
  nowMs = START + afterMs;
  recorder.note(report(), changesOf(nowMs, [{ unit: 'unit', fixMs: nowMs - 1000 }]));
};

const readFixes = async () => {
  const rows = await database.query(
    'SELECT fix_ms::float8 - $1::float8 AS at FROM linehaul.fixes ORDER BY 1',
    [START],
  );
  return rows.map(({ at }) => at);
};
const readCoverage = () =>
  database.query(
    `SELECT state, problem, from_ms::float8 - $1::float8 AS from, to_ms::float8 - $1::float8 AS to
     FROM linehaul.coverage ORDER BY from_ms`,
    [START],
  );
const runTimers = (): void => {
  for (const run of timers.splice(0)) run();
};

it('reports a refused number once its own lease has it, and records again with a greater one', async () => {
  const REFUSED = 'A poll was not recorded: another server records the fleet now.';
  let fence = 5;
  const fenced: string[] = [];
  await recorder.close();
  recorder = create({ fenceOf: () => fence, onFenced: (usdot) => void fenced.push(usdot) });
  start(recorder);
  await database.query('INSERT INTO linehaul.fleet_fences VALUES ($1, 9)', [USDOT]);
  isAway = true;
  poll(0);
  await expect.poll(() => timers.length).toBeGreaterThan(1);
  // Of the lease before this one.
  fence = 8;
  isAway = false;
  runTimers();
  await expect.poll(() => warnings.filter((line) => line === REFUSED)).toHaveLength(1);
  expect(fenced).toEqual([]);
  poll(30_000);
  await expect.poll(() => fenced).toEqual([USDOT]);
  fence = 10;
  poll(60_000);
  await expect.poll(readFixes).toEqual([59_000]);
  expect(fenced).toEqual([USDOT]);
});

it('writes fixes and coverage of the fleets that it polls, and of no other', async () => {
  poll(0);
  poll(30_000);
  nowMs += 30_000;
  recorder.note(report('timeout'), null);
  recorder.note(report(null, '7654321'), null);
  await expect.poll(readCoverage).toEqual([
    { state: 'answered', problem: null, from: 0, to: 30_000 },
    { state: 'failing', problem: 'timeout', from: 30_000, to: 60_000 },
  ]);
  expect(await readFixes()).toEqual([-1000, 29_000]);
  expect(recorder.readRecording(USDOT)).toEqual({ sinceMs: START, writtenAtMs: START + 60_000 });
  await expect.poll(() => recorder.readSize()?.bytes).toBeGreaterThan(0);
  expect(recorder.readRecording('7654321')).toBeNull();
  expect(polled).toEqual([USDOT]);
  runTimers();
  expect(polled).toEqual([USDOT, USDOT]);
});

it('knows the time in which no process recorded', async () => {
  poll(0);
  await recorder.close();
  recorder = setUp();
  poll(5 * MINUTE_MS);
  await expect.poll(readCoverage).toEqual([
    { state: 'notRunning', problem: null, from: 0, to: 5 * MINUTE_MS },
    { state: 'answered', problem: null, from: 5 * MINUTE_MS, to: 5 * MINUTE_MS },
  ]);
});

it('notes the provider of a fleet with the first poll of a process, where it is another one', async () => {
  const read = () =>
    database.query(
      'SELECT from_ms::float8 - $1::float8 AS from, provider FROM linehaul.fleet_providers ORDER BY 1',
      [START],
    );
  for (const [minute, provider] of ['one.test', 'one.test', 'two.test'].entries()) {
    await recorder.close();
    recorder = create({ providerOf: () => provider });
    start(recorder);
    poll(minute * MINUTE_MS);
    poll(minute * MINUTE_MS + 1000);
    await recorder.flush();
  }
  expect(await read()).toEqual([
    { from: 0, provider: 'one.test' },
    { from: 2 * MINUTE_MS, provider: 'two.test' },
  ]);
});

it('holds 10 minutes while the database is away, and notes what is lost beyond', async () => {
  isAway = true;
  for (let minute = 0; minute <= 12; minute++) poll(minute * MINUTE_MS);
  await expect.poll(() => warnings).toEqual(['Fixes cannot be recorded now.']);
  isAway = false;
  runTimers();
  const held = Array.from({ length: 10 }, (_, minute) => minute * MINUTE_MS - 1000);
  await expect.poll(readFixes).toEqual(held);
  poll(13 * MINUTE_MS);
  await expect.poll(readFixes).toEqual([...held, 13 * MINUTE_MS - 1000]);
  expect(await readCoverage()).toEqual([
    { state: 'answered', problem: null, from: 0, to: 9 * MINUTE_MS },
    { state: 'lost', problem: 'database', from: 9 * MINUTE_MS, to: 12 * MINUTE_MS },
    { state: 'answered', problem: null, from: 12 * MINUTE_MS, to: 13 * MINUTE_MS },
  ]);
  // At its start, and after the loss.
  expect(recordedAgain).toEqual([USDOT, USDOT]);
});

it('gives up one poll that PostgreSQL refuses', async () => {
  recorder.note(report(), changesOf(START, [{ unit: 'a\0b', fixMs: START }]));
  for (let attempt = 1; attempt <= 3; attempt++) {
    await expect.poll(() => timers.length).toBe(2);
    runTimers();
  }
  await expect.poll(readCoverage).toEqual([{ state: 'lost', problem: 'refused', from: 0, to: 0 }]);
  poll(10_000);
  await expect.poll(readFixes).toEqual([9000]);
});

it('does not give up a poll for the attempts at which the database was away', async () => {
  isAway = true;
  recorder.note(report(), changesOf(START, [{ unit: 'a\0b', fixMs: START }]));
  for (let attempt = 1; attempt <= 4; attempt++) {
    await expect.poll(() => timers.length).toBe(2);
    isAway = attempt < 2;
    if (attempt < 4) runTimers();
  }
  expect(await readCoverage()).toEqual([]);
});

it('loses no visit and no alert while the database is away, and gives up those that PostgreSQL refuses', async () => {
  const [site] = await database.query(
    `INSERT INTO linehaul.sites (usdot, name, kind, color, margin_m, shape, made_by, created_at, updated_at)
     VALUES ($1, 'Yard', 'yard', '#123456', 75, '{}', 'test', now(), now()) RETURNING id`,
    [USDOT],
  );
  const visitAt = (arrivedMs: number, unit = 'unit') => ({
    visits: [
      { siteId: Number(site!.id), unit, arrivedMs, arrivedAfterMs: null, leftMs: arrivedMs, leftByMs: null },
    ],
    alerts: [],
  });
  isAway = true;
  for (let minute = 0; minute <= 12; minute++) {
    nowMs = START + minute * MINUTE_MS;
    recorder.note(report(), null, visitAt(nowMs));
  }
  await expect.poll(() => warnings).toHaveLength(1);
  isAway = false;
  runTimers();
  const countVisits = async () =>
    (await database.query('SELECT count(*)::int AS count FROM linehaul.site_visits'))[0]!.count;
  await expect.poll(countVisits).toBe(13);
  recorder.note(report(), null, visitAt(START, 'a\0b'));
  for (let attempt = 1; attempt <= 4; attempt++) {
    await expect.poll(() => timers.length).toBe(2);
    runTimers();
  }
  recorder.note(report(), null, visitAt(START + 20 * MINUTE_MS));
  await expect.poll(countVisits).toBe(14);
});

it('reports an alert that was to open and did not', async () => {
  const refused: string[] = [];
  const next = create({ onRefused: (usdot) => void refused.push(usdot) });
  start(next);
  const facts = toFeedFacts({ kind: 'late' }, START);
  next.note(report(), null, { visits: [], alerts: [{ kind: 'closed', ruleId: 1, unit: 'A', atMs: START }] });
  await next.settle(USDOT);
  expect(refused).toEqual([]);
  // Its rule was removed meanwhile.
  const opened = { kind: 'opened', ruleId: 1, unit: 'A', atMs: START, facts } as const;
  next.note(report(), null, { visits: [], alerts: [opened] });
  await next.settle(USDOT);
  expect(refused).toEqual([USDOT]);
  await next.close();
});

it('is settled once it has begun and what was noted is written, and not while that cannot be', async () => {
  const next = create();
  let isSettled = false;
  const settled = next.settle(USDOT).then(() => (isSettled = true));
  await readFixes();
  expect(isSettled).toBe(false);
  isAway = true;
  start(next);
  next.note(report(), null);
  await expect(settled).rejects.toThrow('not recorded yet');
  isAway = false;
  await next.settle(USDOT);
  expect(await readCoverage()).toHaveLength(1);
  await next.close();
});

it('gives a feed that polls before the recording starts what is recorded by then', async () => {
  poll(0);
  await expect.poll(readFixes).toHaveLength(1);
  const next = create();
  const reading = next.readNewest(USDOT);
  // The provider has not yet said which fleet is its own.
  start(next, []);
  expect([...(await reading)!.fixes.keys()]).toEqual(['unit']);
  await next.close();
  // One that never starts keeps no feed waiting, and has it watch nothing.
  const ended = create();
  await Promise.all([
    expect(ended.settle(USDOT)).rejects.toThrow('not recorded yet'),
    Promise.resolve().then(() => ended.close()),
  ]);
  const never = ended.readNewest(USDOT);
  expect(await never).toBeNull();
});
