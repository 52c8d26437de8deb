/** Two processes of the service on one database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestService, toHeaders } from '../../testing/service/service';
import { NOW_MS } from '../../testing/service/store';
import { CARRIER, toFix, toVehicle, toVin } from '../../testing/service/vehicles';
import { unitsSchema } from '../contract';
import { openOwnCarrier } from '../demo/seed';
import { createService, type Service } from '../service';
import { openStore, type Store } from '../store/store';

const { usdot } = CARRIER;
const one = createTestService();
let two: { store: Store; service: Service };

beforeAll(async () => {
  const store = await openStore({ databaseUrl: one.stored.databaseUrl, now: one.stored.now });
  two = { store, service: createService({ store, now: one.stored.now }) };
  await one.stored.store.vehicles.upsertMany([toVehicle(1), toVehicle(2)]);
});
afterAll(() => two.store.close());

const ask = (service: Service, path: string, headers = toHeaders(one.own)) =>
  service.fetch(new Request(`http://service.test${path}`, { headers }));

const readUnits = async (service: Service) => {
  const response = await ask(service, `/api/units/${usdot}`);
  expect(response.status).toBe(200);
  return unitsSchema.parse(await response.json()).units;
};
const readLatitudes = async (service: Service) =>
  Object.fromEntries((await readUnits(service)).map(({ vin, coordinates }) => [vin, coordinates!.lat]));

describe('two services on one database', () => {
  it('answer with what the other one was sent, from the next request on', async () => {
    await one.stored.store.fixes.record(usdot, [toFix(1, NOW_MS - 9000, { lat: 35 })]);
    expect(await readLatitudes(two.service)).toEqual({ [toVin(1)]: 35 });
    await one.stored.store.fixes.record(usdot, [toFix(1, NOW_MS - 8000, { lat: 36 })]);
    expect(await readLatitudes(two.service)).toEqual({ [toVin(1)]: 36 });
    await two.store.fixes.record(usdot, [toFix(2, NOW_MS - 8000, { lat: 37 })]);
    expect(await readLatitudes(one.service)).toEqual({ [toVin(1)]: 36, [toVin(2)]: 37 });
  });

  it('never replace a newer position by an older one, in whatever order and by whichever of them it comes', async () => {
    const REPORTS = 60;
    const stores = [one.stored.store, two.store];
    // The same times in another order for each truck; every third report is sent to both.
    const reports = [1, 2].flatMap((truck) =>
      Array.from({ length: REPORTS }, (_, i) => {
        const at = (i * (truck === 1 ? 37 : 23)) % REPORTS;
        return { i, fix: toFix(truck, NOW_MS - 5000 + at, { lat: 40 + at / 1000 }) };
      }),
    );
    const recorded = reports.flatMap(({ i, fix }) => {
      const targets = i % 3 === 0 ? stores : [stores[i % 2]!];
      return targets.map((store) => store.fixes.record(usdot, [fix]));
    });
    const seen: number[] = [];
    const reading = (async () => {
      for (let i = 0; i < 20; i++) seen.push((await readLatitudes(two.service))[toVin(1)]!);
    })();
    await Promise.all([...recorded, reading]);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const newest = 40 + (REPORTS - 1) / 1000;
    for (const { service } of [one, two])
      expect(await readLatitudes(service)).toEqual({ [toVin(1)]: newest, [toVin(2)]: newest });
  });

  it('order fixes alike while their clocks are two minutes apart', async () => {
    const { databaseUrl } = one.stored;
    const slow = await openStore({ databaseUrl, now: () => Date.now() - 60_000 });
    const fast = await openStore({ databaseUrl, now: () => Date.now() + 60_000 });
    try {
      await slow.vehicles.upsertMany([toVehicle(3)]);
      const atMs = Date.now();
      for (const [store, agoMs] of [
        [slow, 3000],
        [fast, 2000],
        [slow, 1000],
        [fast, 1500],
        [fast, 2500],
        [slow, 4000],
      ] as const)
        await store.fixes.record(usdot, [toFix(3, atMs - agoMs)]);
      const vehicle = await slow.vehicles.readByVin(toVin(3));
      expect(await fast.positions.read(vehicle!.id)).toMatchObject({ fixAtMs: atMs - 1000 });
    } finally {
      await Promise.all([slow.close(), fast.close()]);
    }
  });

  it('know a change of vehicles and devices by the other one at once', async () => {
    await two.store.vehicles.change(usdot, toVin(2), { truckNumber: 'renamed', deviceId: 'another-device' });
    const unit = (await readUnits(one.service)).find(({ vin }) => vin === toVin(2));
    expect(unit).toMatchObject({ truckNumber: 'renamed' });
    const fix = { ...toFix(2, NOW_MS - 1000, { lat: 45 }), deviceId: 'another-device' };
    expect(await one.stored.store.fixes.record(usdot, [fix])).toEqual({ unknownDevices: [] });
    expect((await readLatitudes(two.service))[toVin(2)]).toBe(45);
    const before = await one.stored.store.fixes.record(usdot, [toFix(2, NOW_MS - 500)]);
    expect(before).toEqual({ unknownDevices: ['device-2'] });
  });

  it('refuse a key and a token that the other one has revoked, from the next request on', async () => {
    const { keys, ingestTokens } = one.stored.store;
    const key = await keys.create({ usdot, name: 'to be revoked' });
    const token = await ingestTokens.create({ usdot, name: 'to be revoked' });
    expect((await ask(two.service, '/api/carrier', toHeaders(key))).status).toBe(200);
    expect(await two.store.ingestTokens.verify(token.token)).not.toBeNull();
    await keys.revoke(key.id);
    await ingestTokens.revoke(token.id);
    expect((await ask(two.service, '/api/carrier', toHeaders(key))).status).toBe(401);
    expect(await two.store.ingestTokens.verify(token.token)).toBeNull();
  });

  it('leave each other the key by which a process reaches its own carrier', async () => {
    const opened = [
      await openOwnCarrier(one.stored.store, CARRIER),
      await openOwnCarrier(two.store, CARRIER),
    ];
    for (const { store, credentials } of opened) {
      const service = createService({ store, now: one.stored.now });
      expect((await ask(service, '/api/carrier', toHeaders(credentials))).status).toBe(200);
      const mixed = { ...credentials, providerToken: one.own.providerToken };
      expect((await ask(service, '/api/carrier', toHeaders(mixed))).status).toBe(401);
    }
    const [first, second] = opened as [(typeof opened)[0], (typeof opened)[0]];
    const other = createService({ store: second.store, now: one.stored.now });
    expect((await ask(other, '/api/carrier', toHeaders(first.credentials))).status).toBe(401);
  });
});
