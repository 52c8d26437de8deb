/** A load is driven to its end by trucks that report to the own fleet's ingest, with a swap of trucks; the clock is the test's. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { previewLoads } from '@/lib/alerts/server/load-preview';
import { MINUTE_MS } from '@/lib/base/time';
import type { LoadCondition } from '@/lib/rules/load-cases';
import { addLoad, changeLoad, listLoads, readLoad, type LoadContext } from '@/lib/loads/server/loads';
import { openStore, type Store } from '@/service/store/store';
import { insertWebhook, setUpAlerts } from '@/testing/alerts/alerts';
import { SECRET, createMessages } from '@/testing/alerts/messages';
import { MANAGER, toClient } from '@/testing/auth/sign-in';
import {
  LAST_MIN,
  STANDS_MIN,
  SWAP_MIN,
  UNTIL_MIN,
  VERDICTS,
  insertLoadRule,
  listMessages,
  reportTrucks,
  toDrivenLoad,
} from '@/testing/service/driven-load';
import { toOwnVehicle } from '@/testing/service/own-recording';
import { OWN_CARRIER, toVin } from '@/testing/service/vehicles';
import { openOwnServer } from '@/testing/service/own-server';
import { START_MS } from '@/testing/motion/fixes';
import { createWebhookSecret, sealWebhookSecret } from '@/lib/alerts/server/delivery/webhook-channel';

const { usdot } = OWN_CARRIER;
const held = setUpAlerts();
let store: Store;
let server: ReturnType<typeof openOwnServer>;
let messages: ReturnType<typeof createMessages>;
let nowMs = START_MS;

const startServer = (): void => {
  const watched = { open: held.app.database.open, outbox: messages.outbox };
  server = openOwnServer(held.database.databaseUrl, () => nowMs, { watched });
};

beforeEach(async () => {
  nowMs = START_MS;
  store = await openStore({ databaseUrl: held.database.databaseUrl, now: () => nowMs });
  await store.carriers.upsert(OWN_CARRIER);
  await store.vehicles.upsertMany([1, 2].map((n) => toOwnVehicle(n)));
  messages = createMessages(held);
  messages.start();
  await expect.poll(() => messages.readPushKey()).not.toBeNull();
  await messages.close();
  startServer();
});
afterEach(async () => {
  await server.close();
  await store.close();
});

it('has the expected verdict at each moment, and an alert that opens before the appointment and closes by itself', async () => {
  const sealedSecret = sealWebhookSecret(createWebhookSecret(), SECRET);
  await insertWebhook(held, { id: 'hook', usdot, url: 'http://127.0.0.1:9/', sealedSecret });
  const { pool } = await held.app.database.open();
  for (const kind of ['loadWillBeLate', 'loadLate']) await insertLoadRule(pool, { kind });
  await insertLoadRule(pool, { kind: 'loadNotMoving', forMin: 30 });
  const context: LoadContext = {
    ...held.app,
    viewer: { ...MANAGER, name: 'Ann' },
    client: toClient(),
    clock: { nowMs: () => nowMs },
  };
  const { id } = await addLoad(context, usdot, toDrivenLoad(START_MS, 1));
  const verdicts: string[] = [];
  const alerts: [min: number, open: string][] = [];
  for (let min = 0; min <= LAST_MIN; min += 1) {
    nowMs = START_MS + min * MINUTE_MS;
    if (min === SWAP_MIN) {
      await changeLoad(context, usdot, id, toDrivenLoad(START_MS, 2));
      await server.reloadWatch();
    }
    // A restart in the midst of what is going on.
    if (min === STANDS_MIN + 20 || min === SWAP_MIN + 5) {
      await server.close();
      startServer();
    }
    await reportTrucks(store, START_MS, min);
    await server.poll();
    const [load] = (await listLoads(context, usdot)).loads;
    const verdict = `${load!.state} ${load!.verdict}`;
    if (verdicts.at(-1) !== verdict) verdicts.push(verdict);
    if (min === SWAP_MIN - 2) {
      const ask = (condition: LoadCondition) =>
        previewLoads(pool, usdot, { condition, units: { type: 'all' } }, { tags: {}, nowMs });
      expect((await ask({ kind: 'loadWillBeLate' })).open).toBe(1);
      expect((await ask({ kind: 'loadNotMoving', forMin: 30 })).open).toBe(1);
      expect((await ask({ kind: 'loadLate' })).open).toBe(0);
    }
    const { rows } = await pool.query<{ name: string }>(
      `select rule_name || ' ' || right(unit, 1) as name from linehaul.alerts where closed_ms is null order by 1`,
    );
    const open = rows.map(({ name }) => name).join(', ');
    if (open !== (alerts.at(-1)?.[1] ?? '')) alerts.push([min, open]);
  }
  expect(verdicts).toEqual(VERDICTS);
  // The first truck's alerts end with the swap; the second one has its own until it has caught up.
  expect(alerts.map(([, open]) => open)).toEqual([
    ...['loadNotMoving 1', 'loadNotMoving 1, loadWillBeLate 1'],
    ...['loadNotMoving 1, loadWillBeLate 1, loadWillBeLate 2', 'loadWillBeLate 2', ''],
  ]);
  expect(alerts[0]![0]).toBe(STANDS_MIN + 30);
  expect(alerts[1]![0]).toBeLessThan(UNTIL_MIN - 30);
  const { load, events } = await readLoad(context, usdot, id);
  const arrivedMin = (load.judged[1]!.visit!.arrivedMs - START_MS) / MINUTE_MS;
  expect(alerts.at(-1)![0]).toBeLessThan(arrivedMin);
  expect(arrivedMin).toBeLessThan(UNTIL_MIN);
  expect(events.map(({ kind, position }) => `${kind} ${position}`).reverse()).toEqual([
    ...['truck -1', 'arrived 0', 'left 0', 'truck -1', 'arrived 1', 'left 1', 'ended 1'],
  ]);
  expect(load.judged.map(({ visit }) => visit!.unit)).toEqual([toVin(1), toVin(2)]);
  expect(await listMessages(held)).toEqual(
    toMessages(['1 loadNotMoving', '1 loadWillBeLate', '2 loadWillBeLate']),
  );
});

/** Each alert has one message about its opening and one about its end. */
const toMessages = (alerts: readonly string[]): string[] =>
  alerts.flatMap((alert) => [`${alert} closed`, `${alert} opened`]);
