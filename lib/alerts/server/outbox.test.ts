import { drizzle } from 'drizzle-orm/node-postgres';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { PoolClient } from 'pg';
import { inTransaction } from '@/lib/database/database';
import { insertAlert, insertWebhook, setPreferences, setUpAlerts, subscribe } from '@/testing/alerts/alerts';
import { clockOf } from '@/testing/clock';
import { BUNDLE_JOB, DELIVERY_JOB, DIGEST_JOB, createOutbox } from './outbox';
import type { AlertChanged } from '@/lib/recording/alert-writer';
import type { Job } from '@/lib/jobs/jobs';

const held = setUpAlerts();
const USDOT = '9000001';
const OTHER = '9000002';
const QUIET = { timeZone: 'UTC', days: [{ weekdays: [2], fromMin: 0, toMin: 1440 }] };

/** Jobs that were made, by queue. */
let made: (Job & { name: string; delayMs?: number })[];
const add = (changes: AlertChanged[], { canMail = true, fail = false } = {}) => {
  const outbox = createOutbox({
    jobs: { insert: async (_tx, name, jobs) => void made.push(...jobs.map((job) => ({ ...job, name }))) },
    canMail,
    canMailCustomers: false,
    clock: clockOf(() => held.nowMs),
  });
  return held.app.database.open().then(({ pool }) =>
    inTransaction(pool, async (client: PoolClient) => {
      await outbox.add(drizzle({ client }), changes);
      if (fail) throw new Error('The transaction fails.');
    }),
  );
};
const open = (alertId: number): AlertChanged => ({ alertId, event: 'opened' });
const listTargets = async () =>
  (
    await held.database.query(
      `select channel || ' ' || target || ' ' || event as row from linehaul.alert_deliveries order by 1`,
    )
  ).map(({ row }) => row);

beforeAll(async () => {
  await held.addUser('ann', 'manager', null);
  await held.addUser('dan', 'dispatcher', [USDOT]);
  await held.addUser('eve', 'dispatcher', [OTHER]);
  await held.addUser('out', 'dispatcher', null);
  await held.database.query(`update linehaul.users set disabled_at = now() where id = 'out'`);
});
beforeEach(async () => {
  made = [];
  await held.clear();
});

it('an alert goes to the users of its fleet who want it, and to its webhooks', async () => {
  for (const user of ['ann', 'dan', 'eve', 'out'])
    await setPreferences(held, user, { email: 'each', push: true });
  await subscribe(held, 'dan', 'phone');
  await subscribe(held, 'dan', 'tablet');
  await subscribe(held, 'eve', 'other phone');
  await insertWebhook(held, { id: 'hook', usdot: USDOT });
  await insertWebhook(held, { id: 'off', usdot: USDOT, isEnabled: false });
  await insertWebhook(held, { id: 'other', usdot: OTHER });
  await add([open(await insertAlert(held, { usdot: USDOT }))]);
  expect(await listTargets()).toEqual([
    'email ann opened',
    'email dan opened',
    'push phone opened',
    'push tablet opened',
    'webhook hook opened',
  ]);
  const rows = await held.database.query('select id from linehaul.alert_deliveries order by id');
  expect(made.map(({ id }) => id).sort()).toEqual(rows.map(({ id }) => id));
  expect(new Set(made.map(({ name }) => name))).toEqual(new Set([DELIVERY_JOB]));
});

it('severity, quiet hours and channels are as each chose; a critical alert comes also in quiet hours', async () => {
  await setPreferences(held, 'ann', { email: 'each', minSeverity: 'critical' });
  await setPreferences(held, 'dan', { email: 'each', minSeverity: 'info', quietHours: QUIET });
  await insertWebhook(held, { id: 'hook', usdot: USDOT, minSeverity: 'critical' });
  await add([open(await insertAlert(held, { usdot: USDOT, severity: 'warning' }))]);
  expect(await listTargets()).toEqual([]);
  await add([open(await insertAlert(held, { usdot: USDOT, severity: 'critical' }))]);
  expect(await listTargets()).toEqual(['email ann opened', 'email dan opened', 'webhook hook opened']);
});

it('the alert of an own rule goes to its maker alone, while they see the fleet', async () => {
  for (const user of ['ann', 'dan', 'eve']) await setPreferences(held, user, { email: 'each' });
  await insertWebhook(held, { id: 'hook', usdot: USDOT });
  await add([
    open(await insertAlert(held, { usdot: USDOT, ownerId: 'dan' })),
    open(await insertAlert(held, { usdot: USDOT, ownerId: 'eve' })),
  ]);
  expect(await listTargets()).toEqual(['email dan opened']);
});

it('programs also hear that an alert has closed, people do not; without a mail server there is no mail', async () => {
  await setPreferences(held, 'dan', { email: 'each', push: true });
  await subscribe(held, 'dan', 'phone');
  await insertWebhook(held, { id: 'hook', usdot: USDOT });
  const alertId = await insertAlert(held, { usdot: USDOT });
  await add([open(alertId), { alertId, event: 'closed' }], { canMail: false });
  expect(await listTargets()).toEqual(['push phone opened', 'webhook hook closed', 'webhook hook opened']);
});

it('a change that is added again makes no second message, and a transaction that fails makes none', async () => {
  await insertWebhook(held, { id: 'hook', usdot: USDOT });
  const alertId = await insertAlert(held, { usdot: USDOT });
  await expect(add([open(alertId)], { fail: true })).rejects.toThrow('The transaction fails.');
  expect(await listTargets()).toEqual([]);
  made = [];
  await add([open(alertId)]);
  await add([open(alertId), open(alertId)]);
  expect(await listTargets()).toEqual(['webhook hook opened']);
  expect(made).toHaveLength(1);
});

it('a digest is one job of a user for the next full hour', async () => {
  await setPreferences(held, 'dan', { email: 'digest' });
  held.nowMs = Date.UTC(2026, 10, 24, 16, 20);
  await add([open(await insertAlert(held, { usdot: USDOT }))]);
  await add([open(await insertAlert(held, { usdot: USDOT }))]);
  expect(made.map(({ name, key, data, delayMs }) => ({ name, key, data, delayMs }))).toEqual(
    Array.from({ length: 2 }, () => ({
      name: DIGEST_JOB,
      key: 'dan',
      data: { target: 'dan' },
      delayMs: 40 * 60_000,
    })),
  );
});

it('a person gets many alerts of one moment as one message, a program each', async () => {
  await setPreferences(held, 'dan', { email: 'each' });
  await insertWebhook(held, { id: 'hook', usdot: USDOT });
  const newest = await insertAlert(held, { usdot: USDOT, times: 2_000 });
  await add(Array.from({ length: 2_000 }, (_, i) => open(newest - i)));
  const bundles = made.filter(({ name }) => name === BUNDLE_JOB);
  expect(bundles).toHaveLength(1);
  expect(bundles[0]!.data).toMatchObject({ channel: 'email', target: 'dan' });
  expect(bundles[0]!.data.ids).toHaveLength(2_000);
  expect(made.filter(({ name }) => name === DELIVERY_JOB)).toHaveLength(2_000);
});

it('a user of some units hears of these and of the feed alone', async () => {
  await setPreferences(held, 'dan', { email: 'each', minSeverity: 'info' });
  await held.database.query(`update linehaul.users set tags = '{flatbeds,reefers}' where id = 'dan'`);
  await held.database.query(
    `insert into linehaul.unit_tags values ($1, 'reefers', 'IN'), ($1, 'tankers', 'OUT'), ($2, 'reefers', 'OUT')`,
    [USDOT, OTHER],
  );
  const ids: Record<string, number> = {};
  for (const unit of ['IN', 'OUT', '']) ids[unit] = await insertAlert(held, { usdot: USDOT, unit });
  await add(Object.values(ids).map(open));
  const rows = await held.database.query('select alert_id from linehaul.alert_deliveries order by alert_id');
  expect(rows.map(({ alert_id }) => Number(alert_id))).toEqual([ids.IN, ids['']]);
  await held.database.query(`update linehaul.users set tags = null where id = 'dan'`);
});
