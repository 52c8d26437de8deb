import { expect, it } from 'vitest';
import { setUpRecording } from '@/testing/history/recording';
import { HistoryRepository } from './history-repository';
import type { AlertChange } from '@/lib/rules/engine/rule-state';
import { toFeedFacts } from '@/lib/rules/engine/conditions';
import { readHeldAlerts, type AlertChanged } from './alert-writer';
import { MINUTE_MS } from '@/lib/base/time';

const USDOT = '9000001';
const START = 1_782_000_000_000;
const held = setUpRecording();

const addRule = async (coolDownMin = 0): Promise<number> => {
  const { rows } = await held.pool.query<{ id: number }>(
    `INSERT INTO linehaul.alert_rules
       (usdot, name, condition, units, severity, cool_down_min, is_enabled, made_by, created_at, updated_at)
     VALUES ($1, 'Late', '{}', '{}', 'critical', $2, true, 'test', now(), now()) RETURNING id`,
    [USDOT, coolDownMin],
  );
  return rows[0]!.id;
};

const opened = (ruleId: number, min: number, siteId: number | null = null, unit = 'TRUCK'): AlertChange => {
  const atMs = START + min * MINUTE_MS;
  return { kind: 'opened', ruleId, unit, atMs, facts: { ...toFeedFacts({ kind: 'late' }, atMs), siteId } };
};
const closed = (ruleId: number, min: number, unit = 'TRUCK'): AlertChange => ({
  kind: 'closed',
  ruleId,
  unit,
  atMs: START + min * MINUTE_MS,
});
const write = (...alerts: AlertChange[]) => held.write({ usdot: USDOT, seenMs: alerts[0]!.atMs, alerts });

/** Minutes in which alerts were opened and closed, in their order. */
const readAlerts = async () =>
  (
    await held.database.query(
      `SELECT ((opened_ms - $1::int8) / 60000)::int AS opened, ((closed_ms - $1::int8) / 60000)::int AS closed
       FROM linehaul.alerts ORDER BY id`,
      [START],
    )
  ).map(({ opened: from, closed: to }) => [from, to]);

it('an alert is written with its poll, once, with the name and the severity of its rule, and closes', async () => {
  const id = await addRule();
  await write(opened(id, 0));
  await write(opened(id, 0));
  const rows = await held.database.query(
    'SELECT usdot, rule_name, severity, unit, owner_id, facts FROM linehaul.alerts',
  );
  expect(rows).toMatchObject([
    { usdot: USDOT, rule_name: 'Late', severity: 'critical', unit: 'TRUCK', owner_id: null },
  ]);
  expect(rows[0]!.facts).toMatchObject({ condition: { kind: 'late' } });
  await write(closed(id, 5));
  await write(closed(id, 6));
  expect(await readAlerts()).toEqual([[0, 5]]);
});

it('events open and close with one poll, also where another alert of the unit closes with it', async () => {
  const id = await addRule();
  await write(opened(id, 0), closed(id, 0), opened(id, 0, null, 'OTHER'), closed(id, 0, 'OTHER'));
  await write(opened(id, 10));
  await write(closed(id, 20), opened(id, 20));
  expect(await readAlerts()).toEqual([
    [0, 0],
    [0, 0],
    [10, 20],
    [20, null],
  ]);
});

it('none opens within the cool-down of the one before, nor where another server opened the same one', async () => {
  const [cooling, none] = [await addRule(30), await addRule()];
  await write(opened(cooling, 0), closed(cooling, 0), opened(none, 0, 7), closed(none, 0));
  await write(opened(cooling, 29));
  await write(opened(none, 1, 7));
  expect(await readAlerts()).toHaveLength(2);
  await write(opened(cooling, 28, null, 'OTHER'));
  await write(opened(none, 1, 8), closed(none, 1));
  await write(opened(none, 2, 7), closed(none, 2));
  await write(opened(cooling, 30));
  expect((await readAlerts()).map(([from]) => from)).toEqual([0, 0, 28, 1, 2, 30]);
});

it('a poll whose alert did not open says so', async () => {
  const id = await addRule(30);
  const write = (alert: AlertChange) =>
    held.history.write({
      ...{ usdot: USDOT, seenMs: alert.atMs, changes: null, coverage: [], statusCounts: null },
      alerts: [alert],
    });
  const done = [];
  for (const alert of [opened(id, 0), closed(id, 5), opened(id, 10), opened(id, 31)])
    done.push(await write(alert));
  expect(done).toEqual([true, true, false, true]);
});

it('two servers that write at the same time open one alert, also where it closes at once', async () => {
  const id = await addRule();
  const added: string[] = [];
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const entry = { usdot: USDOT, seenMs: START, changes: null, coverage: [], statusCounts: null };
  const alerts = [opened(id, 0), closed(id, 0)];
  const writeBy = (server: string, wait?: Promise<void>): Promise<boolean> =>
    new HistoryRepository(held.pool, {
      add: async () => {
        added.push(server);
        await wait;
      },
    }).write({ ...entry, alerts });
  const first = writeBy('first', isReleased);
  await expect.poll(() => added).toEqual(['first']);
  const second = writeBy('second');
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await expect.poll(() => held.database.query(waiting)).toHaveLength(1);
  release();
  await Promise.all([first, second]);
  expect([await readAlerts(), added]).toEqual([[[0, 0]], ['first']]);
});

it('a rule that was removed, switched off or is of another fleet opens none', async () => {
  const id = await addRule();
  await held.write({ usdot: '7654321', seenMs: START, alerts: [opened(id, 0)] });
  await held.pool.query('UPDATE linehaul.alert_rules SET is_enabled = false');
  await write(opened(id, 0), opened(id + 1, 0));
  expect(await readAlerts()).toEqual([]);
});

it('a restart continues with open alerts and those that cool down', async () => {
  const [cooling, none] = [await addRule(30), await addRule()];
  await write(
    opened(cooling, 0, 7),
    closed(cooling, 5),
    opened(none, 0),
    closed(none, 5),
    opened(none, 6, 8),
  );
  const base = { unit: 'TRUCK' };
  expect(await readHeldAlerts(held.pool, USDOT, START + 20 * MINUTE_MS)).toMatchObject([
    { ...base, ruleId: cooling, openedMs: START, closedMs: START + 5 * MINUTE_MS, siteId: 7 },
    { ...base, ruleId: none, openedMs: START + 6 * MINUTE_MS, closedMs: null, siteId: 8 },
  ]);
  const later = await readHeldAlerts(held.pool, USDOT, START + 31 * MINUTE_MS);
  expect(later.map(({ ruleId }) => ruleId)).toEqual([none]);
});

it('messages are added in the transaction of the poll: without them nothing is written', async () => {
  const id = await addRule();
  const added: AlertChanged[] = [];
  let isRefused = true;
  const history = new HistoryRepository(held.pool, {
    add: async (_, changes) => {
      if (isRefused) throw new Error('The outbox is full.');
      added.push(...changes);
    },
  });
  const entry = { usdot: USDOT, seenMs: START, changes: null, coverage: [], statusCounts: null };
  const alerts = [opened(id, 0), closed(id, 0)];
  await expect(history.write({ ...entry, alerts })).rejects.toThrow('The outbox is full.');
  expect(await readAlerts()).toEqual([]);
  isRefused = false;
  await history.write({ ...entry, alerts });
  await history.write({ ...entry, alerts });
  expect(added.map(({ event }) => event)).toEqual(['opened', 'closed']);
  expect(new Set(added.map(({ alertId }) => alertId)).size).toBe(1);
});

it('cases that are known open no alert until they have ended, also under another key', async () => {
  const id = await addRule();
  await held.database.query('UPDATE linehaul.alert_rules SET new_from_ms = $2 WHERE id = $1', [id, START]);
  const case1 = { ruleId: id, unit: 'TRUCK', atMs: START, siteId: 7, sinceMs: START };
  await write({ kind: 'known', ...case1 }, { kind: 'noted', ruleId: id, unit: '', atMs: START });
  await write(opened(id, 1));
  expect(await readAlerts()).toEqual([]);
  expect(await readHeldAlerts(held.pool, USDOT, START)).toMatchObject([
    { ruleId: id, unit: 'TRUCK', closedMs: null, siteId: 7, sinceMs: START, isKnown: true },
  ]);
  expect(
    await held.database.query('SELECT known_from_ms::float8 AS at FROM linehaul.alert_rules'),
  ).toMatchObject([{ at: START }]);
  await held.write({ usdot: USDOT, seenMs: START, alerts: [], renamed: [['TRUCK', 'VIN']] });
  await write(closed(id, 2, 'VIN'), opened(id, 2, null, 'VIN'));
  expect(await readAlerts()).toEqual([[2, null]]);
});
