import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { FleetCache } from '../answer/fleet-cache';
import { unitsSchema } from '../contract';
import { openStore } from '../store/store';
import { createTestService, toHeaders } from '../../testing/service/service';
import { NOW_MS } from '../../testing/service/store';
import { CARRIER, toFix, toVehicle, toVin } from '../../testing/service/vehicles';
import { MINUTE_MS } from '@/lib/base/time';

const WINDOW_MS = 30 * MINUTE_MS;
const test = createTestService({ activeWindowMs: WINDOW_MS });
const { usdot } = CARRIER;
const UNITS = `/api/units/${usdot}`;

beforeEach(async () => {
  const { store } = test.stored;
  test.stored.nowMs = NOW_MS;
  for (const { vin } of await store.vehicles.list(usdot)) await store.vehicles.remove(vin);
  await store.vehicles.upsertMany([toVehicle(1), toVehicle(2), toVehicle(3)]);
});

const record = (...fixes: ReturnType<typeof toFix>[]) => test.stored.store.fixes.record(usdot, fixes);

const askUnits = async (headers: Record<string, string> = {}) => {
  const response = await test.ask(UNITS, { ...toHeaders(test.own), ...headers });
  expect(response.status).toBe(200);
  return { response, units: unitsSchema.parse(await response.json()).units };
};

const askVins = async () => (await askUnits()).units.map((unit) => unit.vin);

describe('GET /api/units/:usdot, active', () => {
  it('lists a unit to the last millisecond of its window, and not one longer', async () => {
    await record(toFix(1, NOW_MS - MINUTE_MS), toFix(2, NOW_MS));
    expect(await askVins()).toEqual([toVin(1), toVin(2)]);
    test.stored.nowMs = NOW_MS - MINUTE_MS + WINDOW_MS;
    expect(await askVins()).toEqual([toVin(1), toVin(2)]);
    test.stored.nowMs += 1;
    expect(await askVins()).toEqual([toVin(2)]);
    test.stored.nowMs = NOW_MS + WINDOW_MS + 1;
    expect(await askVins()).toEqual([]);
  });

  it('lists a unit again when it reports again', async () => {
    await record(toFix(1, NOW_MS - WINDOW_MS - 1));
    expect(await askVins()).toEqual([]);
    await record(toFix(1, NOW_MS - WINDOW_MS));
    expect(await askVins()).toEqual([toVin(1)]);
  });

  it('counts a fix from the future from its arrival', async () => {
    await record(toFix(1, NOW_MS + 365 * 86_400_000));
    expect((await askUnits()).units[0]).toMatchObject({ timestamp: '2027-03-05T15:00:00.000Z' });
    test.stored.nowMs = NOW_MS + WINDOW_MS + 1;
    expect(await askVins()).toEqual([]);
  });

  it('gives a fix that came out of order no effect', async () => {
    await record(toFix(1, NOW_MS, { lat: 36 }));
    await record(toFix(1, NOW_MS - MINUTE_MS, { lat: 30 }));
    expect((await askUnits()).units[0]!.coordinates.lat).toBe(36);
  });

  it('follows changes of vehicles, also those of another process', async () => {
    await record(toFix(1, NOW_MS), toFix(2, NOW_MS));
    expect(await askVins()).toEqual([toVin(1), toVin(2)]);
    const elsewhere = await openStore({ databaseUrl: test.stored.databaseUrl, now: test.stored.now });
    await elsewhere.vehicles.upsertMany([toVehicle(1, { truckNumber: null, plateNumber: null })]);
    await elsewhere.vehicles.remove(toVin(2));
    await elsewhere.fixes.record(usdot, [toFix(3, NOW_MS)]);
    const { units } = await askUnits();
    expect(units.map((unit) => unit.vin)).toEqual([toVin(1), toVin(3)]);
    expect(units[0]).toMatchObject({ truckNumber: null, licensePlate: { state: 'TX', number: null } });
    await elsewhere.close();
  });

  it('includes all fixes that were acknowledged before the request, during concurrent writes', async () => {
    for (let second = 1; second <= 20; second++) {
      const writing = record(toFix(2, NOW_MS - second));
      await record(toFix(1, NOW_MS - MINUTE_MS + second * 1000));
      const { units } = await askUnits();
      expect(units[0]!.unixTimestamp).toBe((NOW_MS - MINUTE_MS) / 1000 + second);
      await writing;
    }
  });
});

describe('GET /api/units/:usdot, versions', () => {
  it('keeps its ETag until something changes', async () => {
    await record(toFix(1, NOW_MS));
    const first = (await askUnits()).response.headers.get('etag')!;
    await record(toFix(1, NOW_MS), toFix(1, NOW_MS - 1));
    test.stored.nowMs += MINUTE_MS;
    expect((await askUnits()).response.headers.get('etag')).toBe(first);
    await record(toFix(1, test.stored.nowMs));
    expect((await askUnits()).response.headers.get('etag')).not.toBe(first);
  });

  it('changes its ETag when a unit falls out of the window', async () => {
    await record(toFix(1, NOW_MS));
    const first = (await askUnits()).response.headers.get('etag')!;
    test.stored.nowMs = NOW_MS + WINDOW_MS + 1;
    const response = await test.ask(UNITS, { ...toHeaders(test.own), 'if-none-match': first });
    expect(response.status).toBe(200);
  });

  it('encodes an answer once for all clients, until it changes', async () => {
    await record(toFix(1, NOW_MS), toFix(2, NOW_MS));
    let reads = 0;
    const { store } = test.stored;
    const cache = new FleetCache({
      now: test.stored.now,
      activeWindowMs: WINDOW_MS,
      store: {
        vehicles: store.vehicles,
        positions: {
          ...store.positions,
          listSince(number, revision) {
            reads++;
            return store.positions.listSince(number, revision);
          },
        },
      },
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.readUnits(usdot)));
    expect(new Set(answers).size).toBe(1);
    expect(await cache.readUnits(usdot)).toBe(answers[0]);
    expect(reads).toBe(1);
    await record(toFix(1, NOW_MS + 1));
    expect(await cache.readUnits(usdot)).not.toBe(answers[0]);
    expect(reads).toBe(2);
  });
});

describe('GET /api/units/:usdot, compressed', () => {
  const decoders: Record<string, (bytes: Uint8Array) => Buffer> = {
    br: brotliDecompressSync,
    gzip: gunzipSync,
  };

  it.each(['br', 'gzip'])('answers the same in %s, under a tag of its own', async (encoding) => {
    const numbers = [1, 2, 3, 4, 5];
    await test.stored.store.vehicles.upsertMany(numbers.map((n) => toVehicle(n)));
    await record(...numbers.map((n) => toFix(n, NOW_MS)));
    const plain = await test.ask(UNITS);
    const headers = { ...toHeaders(test.own), 'accept-encoding': encoding };
    const response = await test.ask(UNITS, headers);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('content-length')).toBe(String(bytes.byteLength));
    expect(decoders[encoding]!(bytes).toString()).toBe(await plain.text());
    const etag = response.headers.get('etag')!;
    expect(etag).not.toBe(plain.headers.get('etag'));
    expect((await test.ask(UNITS, { ...headers, 'if-none-match': etag })).status).toBe(304);
    expect((await test.ask(UNITS, { ...headers, 'if-none-match': plain.headers.get('etag')! })).status).toBe(
      200,
    );
  });

  it('leaves a small answer as it is', async () => {
    const response = await test.ask('/api/carrier', {
      ...toHeaders(test.own),
      'accept-encoding': 'br, gzip',
    });
    expect(response.headers.get('content-encoding')).toBeNull();
  });
});
