/** A load's window stands on the time of a routing engine, and on other ways once that does not answer; the clock is the test's. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { createLog, createSecretRedactor } from '@/lib/base/log';
import { addLoad, readLoad, type LoadContext } from '@/lib/loads/server/loads';
import { toEngine, type Engine } from '@/lib/routing/engine';
import { Routing } from '@/lib/routing/routing';
import { openStore, type Store } from '@/service/store/store';
import { setUpAlerts } from '@/testing/alerts/alerts';
import { createMessages } from '@/testing/alerts/messages';
import { MANAGER, toClient } from '@/testing/auth/sign-in';
import { clockOf } from '@/testing/clock';
import { START_MS } from '@/testing/motion/fixes';
import { startEngine } from '@/testing/routing/routing-engine';
import { reportTrucks, toDrivenLoad } from '@/testing/service/driven-load';
import { toOwnVehicle } from '@/testing/service/own-recording';
import { openOwnServer } from '@/testing/service/own-server';
import { OWN_CARRIER } from '@/testing/service/vehicles';

const { usdot } = OWN_CARRIER;
const held = setUpAlerts();
let nowMs = START_MS;
let store: Store;
let engine: Awaited<ReturnType<typeof startEngine>>;
let routing: Routing;
let server: ReturnType<typeof openOwnServer>;

beforeEach(async () => {
  nowMs = START_MS;
  const { databaseUrl } = held.database;
  store = await openStore({ databaseUrl, now: () => nowMs });
  await store.carriers.upsert(OWN_CARRIER);
  await store.vehicles.upsertMany([1, 2].map((n) => toOwnVehicle(n)));
  engine = await startEngine('valhalla');
  const log = createLog(createSecretRedactor(), 'error', { write: () => undefined });
  const address = toEngine(engine.url) as Engine;
  routing = new Routing({ engine: address, fetch, clock: clockOf(() => nowMs), log });
  const watched = { open: held.app.database.open, outbox: createMessages(held).outbox };
  server = openOwnServer(databaseUrl, () => nowMs, { watched, routing });
});
afterEach(async () => {
  await server.close();
  routing.close();
  await engine.close();
  await store.close();
});

it("has a load's window by the routing engine, and by other ways once that fails", async () => {
  const context: LoadContext = {
    ...{ ...held.app, viewer: { ...MANAGER, name: 'Ann' }, client: toClient() },
    clock: { nowMs: () => nowMs },
  };
  const { id } = await addLoad(context, usdot, toDrivenLoad(START_MS, 1));
  // Far longer than the twelve kilometers that are left would take otherwise.
  engine.behave({ way: { meters: 44_000, seconds: 3600 } });
  const windowAt = async (min: number, isAsked = true) => {
    nowMs = START_MS + min * MINUTE_MS;
    await reportTrucks(store, START_MS, min);
    const isRouted = server.routed();
    await server.poll();
    if (isAsked) await isRouted;
    return (await readLoad(context, usdot, id)).load.window!;
  };
  expect((await windowAt(0)).by).not.toBe('engine');
  // No other way is asked for so soon.
  const window = await windowAt(1, false);
  expect(window).toMatchObject({ by: 'engine', distM: 44_000, fixAtMs: START_MS, grades: 0 });
  expect(window.fromMs).toBeGreaterThanOrEqual(START_MS + 0.7 * HOUR_MS);
  expect(window.toMs).toBeLessThan(START_MS + 2 * HOUR_MS);
  expect(engine.received[0]).toMatchObject({ method: 'POST', path: '/route' });
  expect(Object.keys(JSON.parse(engine.received[0]!.body))).toEqual([
    ...['locations', 'costing', 'units', 'directions_type'],
  ]);
  engine.behave({ status: 500 });
  const ways: string[] = [];
  for (const min of [3, 5, 7, 9]) ways.push((await windowAt(min)).by);
  expect(ways[0]).toBe('engine');
  expect(ways.at(-1)).not.toBe('engine');
  expect(routing.read()).toMatchObject({ state: 'away', reason: 'it answered 500' });
});
