import { clockOf } from '@/testing/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrackingClient } from '@/lib/tracking/client';
import { DEFAULT_ANSWER_LIMITS } from '@/lib/tracking/limits';
import { createService } from '../service';
import { serveService, type RunningService } from '../serve';
import { createTestService, type Credentials } from '../../testing/service/service';
import { NOW_MS } from '../../testing/service/store';
import { CARRIER, OTHER_CARRIER, toFix, toVehicle, toVin } from '../../testing/service/vehicles';

const test = createTestService({ basePath: '/tracking' });
const { usdot } = CARRIER;
let running: RunningService;

beforeAll(async () => {
  const { store } = test.stored;
  await store.vehicles.upsertMany([toVehicle(1), toVehicle(2), toVehicle(3, { registeredUsdot: '1234567' })]);
  await store.fixes.record(usdot, [toFix(1, NOW_MS - 60_000, { lat: 35.5, lng: -101.5 })]);
  running = await serveService({ service: test.service, port: 0, hostname: '127.0.0.1' });
});
afterAll(() => running.close());

const inProcess = (request: Request) => test.service.fetch(request);
const overHttp = (request: Request) => fetch(request);

describe.each([
  ['in process', () => ({ fetch: inProcess, baseUrl: 'http://service.test/tracking' })],
  ['over HTTP', () => ({ fetch: overHttp, baseUrl: `${running.url}/tracking` })],
])('the tracking client, %s', (_, transport) => {
  const createClient = (credentials: Credentials = test.own) => {
    const { apiKey, providerToken } = credentials;
    return createTrackingClient({
      ...transport(),
      credentials: { apiKey, providerToken },
      clock: clockOf(test.stored.now),
      limits: DEFAULT_ANSWER_LIMITS,
    });
  };

  it('reads GET /api/units/:usdot, also when it has not changed since', async () => {
    const client = createClient();
    const first = await client.readUnits(usdot);
    expect(first.report).toEqual({ dropped: 0, repaired: 0, examples: [] });
    expect(first.units).toEqual([
      {
        identity: {
          key: toVin(1),
          vin: toVin(1),
          truckNumber: 'T-1',
          plateState: 'TX',
          plateNumber: 'R1',
          make: 'Kenworth',
          model: 'T680',
          year: 2019,
          fuelType: 'Diesel',
          assetType: 'Truck',
          deviceId: 'device-1',
        },
        position: { lat: 35.5, lng: -101.5 },
        fixAtMs: NOW_MS - 60_000,
        otherAtMs: NOW_MS - 60_000,
        flags: expect.any(Array),
      },
    ]);
    expect((await client.readUnits(usdot)).units).toEqual(first.units);
  });

  it('reads GET /api/units/:usdot/:vin', async () => {
    expect(await createClient().readUnit(usdot, toVin(1))).toMatchObject({
      position: { lat: 35.5, lng: -101.5 },
      fixAtMs: NOW_MS - 60_000,
    });
  });

  it('distinguishes an unknown VIN from one that has never reported, by GET /api/units/:usdot/:vin', async () => {
    const client = createClient();
    const silent = client.readUnit(usdot, toVin(2));
    await expect(silent).rejects.toHaveProperty('kind', 'notFound');
    await expect(silent).rejects.toHaveProperty('code', 'never_reported');
    await expect(client.readUnit(usdot, toVin(9))).rejects.toHaveProperty('code', 'unknown_vin');
  });

  it('reads GET /api/vin-numbers/:usdot', async () => {
    expect(await createClient().readVins(usdot)).toEqual({
      vins: [toVin(1), toVin(2), toVin(3)],
      report: { dropped: 0, repaired: 0, examples: [] },
    });
  });

  it('reads GET /api/carrier', async () => {
    const { companyName, companyId } = CARRIER;
    expect(await createClient().readAccount()).toEqual({ companyName, companyId, usdot });
  });

  it('reads GET /api/carrier/:vin', async () => {
    const client = createClient();
    expect(await client.readCarrier(toVin(1))).toEqual({ mcNumber: CARRIER.mcNumber, usdot });
    expect(await client.readCarrier(toVin(3))).toEqual({ mcNumber: null, usdot: '1234567' });
  });

  it('reads GET /extensions/units/:usdot/:vin', async () => {
    const client = createClient();
    expect(await client.readReported(usdot, toVin(1))).toEqual({
      fixAtMs: NOW_MS - 60_000,
      speedKph: null,
      headingDeg: null,
      batteryPercent: null,
      isIgnitionOn: null,
      odometerM: null,
      alarm: null,
      noPositionCount: 0,
      noPositionAtMs: null,
    });
    await expect(client.readReported(usdot, toVin(2))).rejects.toMatchObject({
      kind: 'notFound',
      code: 'never_reported',
    });
  });

  it('is refused on every call without its own credentials', async () => {
    const client = createClient({ apiKey: test.own.apiKey, providerToken: test.other.providerToken });
    const calls = [
      client.readUnits(usdot),
      client.readUnit(usdot, toVin(1)),
      client.readVins(usdot),
      client.readAccount(),
      client.readCarrier(toVin(1)),
      client.readReported(usdot, toVin(1)),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      const reason: unknown = outcome.status === 'rejected' ? outcome.reason : null;
      expect(reason).toMatchObject({ kind: 'unauthorized', status: 401 });
    }
  });

  it("is refused another carrier's fleet", async () => {
    await expect(createClient().readUnits(OTHER_CARRIER.usdot)).rejects.toHaveProperty('status', 403);
  });
});

it('the tracking client learns when to retry', async () => {
  const { store, now } = test.stored;
  const limited = createService({ store, now, requestsPerMinute: 1 });
  const { apiKey, providerToken } = test.own;
  const client = createTrackingClient({
    fetch: (request) => limited.fetch(request),
    baseUrl: 'http://service.test',
    credentials: { apiKey, providerToken },
    clock: clockOf(now),
    limits: DEFAULT_ANSWER_LIMITS,
  });
  await client.readAccount();
  const refused = client.readAccount();
  await expect(refused).rejects.toMatchObject({ kind: 'rateLimit', status: 429, retryAfterMs: 60_000 });
});
