import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NOW_MS, createTestStore } from '../../../testing/service/store';
import { CARRIER, OTHER_CARRIER, toFix, toVehicle, toVin } from '../../../testing/service/vehicles';
import { InvalidRecordError, UnknownCarrierError } from '../errors';
import { openStore } from '../store';

const test = createTestStore();
const { usdot } = CARRIER;
const UNLIMITED = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };

beforeAll(async () => {
  await test.store.carriers.upsert(CARRIER);
  await test.store.carriers.upsert(OTHER_CARRIER);
});
beforeEach(() => {
  test.nowMs = NOW_MS;
});

const createKey = (given: object = {}) => test.store.keys.create({ usdot, name: 'dispatch', ...given });
const readKey = async (id: string) => (await test.store.keys.list(usdot)).find((key) => key.id === id)!;

describe('keys and tokens', () => {
  it('accepts a key only with both of its secrets', async () => {
    const key = await createKey();
    const other = await createKey();
    expect(await test.store.keys.verify(key.apiKey, key.providerToken)).toMatchObject({ id: key.id, usdot });
    expect(await test.store.keys.verify(key.apiKey, other.providerToken)).toBeNull();
    expect(await test.store.keys.verify(key.providerToken, key.apiKey)).toBeNull();
    expect(await test.store.keys.verify('', '')).toBeNull();
  });

  it('ends a key and a token at once, also for another process', async () => {
    const elsewhere = await openStore({ databaseUrl: test.databaseUrl, now: test.now });
    const key = await createKey();
    const token = await test.store.ingestTokens.create({ usdot, name: 'phones' });
    expect(await test.store.keys.verify(key.apiKey, key.providerToken)).not.toBeNull();
    expect(await test.store.ingestTokens.verify(token.token)).toEqual({ id: token.id, usdot });
    expect(await elsewhere.keys.revoke(key.id)).toBe(true);
    expect(await elsewhere.ingestTokens.revoke(token.id)).toBe(true);
    expect(await test.store.keys.verify(key.apiKey, key.providerToken)).toBeNull();
    expect(await test.store.ingestTokens.verify(token.token)).toBeNull();
    expect(await test.store.keys.revoke(key.id)).toBe(false);
    await elsewhere.close();
  });

  it('lists keys and tokens by their first characters, without their secrets', async () => {
    await test.store.carriers.upsert({ ...CARRIER, usdot: '9000005' });
    const about = { usdot: '9000005', name: 'dispatch', createdBy: 'Ada', madeById: 'u1' };
    const key = await test.store.keys.create({ ...about, access: { requestsPerMinute: 60 } });
    const token = await test.store.ingestTokens.create(about);
    const kept = { ...about, createdAtMs: NOW_MS, lastUsedAtMs: null, revokedAtMs: null };
    expect(await test.store.keys.list('9000005')).toEqual([
      {
        ...kept,
        id: key.id,
        prefix: key.apiKey.slice(0, 13),
        access: { ...UNLIMITED, requestsPerMinute: 60 },
        replaced: null,
      },
    ]);
    expect(await test.store.ingestTokens.list('9000005')).toEqual([
      { ...kept, id: token.id, prefix: token.token.slice(0, 16) },
    ]);
    expect(await test.store.keys.list(OTHER_CARRIER.usdot)).toEqual([]);
  });

  it('makes no key for an unknown carrier', async () => {
    await expect(createKey({ usdot: '77' })).rejects.toThrow(UnknownCarrierError);
    await expect(test.store.ingestTokens.create({ usdot: '77', name: 'x' })).rejects.toThrow(
      UnknownCarrierError,
    );
  });

  it.each([
    [{ name: '' }, 'name: is empty'],
    [{ name: 'a\u0000b' }, 'name: holds a character that cannot be seen'],
    [{ access: { expiresAtMs: NOW_MS } }, 'access.expiresAtMs: lies in the past'],
    [{ access: { allowedNetworks: ['10.0.0.0/99'] } }, 'access.allowedNetworks.0: is no address'],
  ])('refuses a key with %j', async (given, message) => {
    await expect(createKey(given)).rejects.toThrow(InvalidRecordError);
    await expect(createKey(given)).rejects.toThrow(message);
  });

  it('stores any text as a name', async () => {
    const name = `'); DROP TABLE tracking.api_keys; -- <script>alert(1)</script>`;
    const { id } = await createKey({ name });
    expect((await readKey(id)).name).toBe(name);
  });
});

describe('changing a key', () => {
  it('changes only the given fields, and nothing of a key that has ended', async () => {
    const { id } = await createKey({ access: { requestsPerMinute: 60 } });
    expect(await test.store.keys.change(id, { name: 'yard' })).toBe(true);
    expect(await readKey(id)).toMatchObject({ name: 'yard', access: { requestsPerMinute: 60 } });
    expect(await test.store.keys.change(id, { access: { endpoints: ['units'] } })).toBe(true);
    expect(await readKey(id)).toMatchObject({
      name: 'yard',
      access: { ...UNLIMITED, endpoints: ['units'] },
    });
    await expect(test.store.keys.change(id, {})).rejects.toThrow('names nothing to change');
    await test.store.keys.revoke(id);
    expect(await test.store.keys.change(id, { name: 'x' })).toBe(false);
    expect(await test.store.keys.change('unknown', { name: 'x' })).toBe(false);
  });
});

describe('rotating a key', () => {
  it('keeps at most two pairs, and lists which is valid and whether it is used', async () => {
    const first = await createKey();
    const second = (await test.store.keys.rotate(first.id, 10_000))!;
    await test.store.keys.verify(first.apiKey, first.providerToken);
    expect(await readKey(first.id)).toMatchObject({
      prefix: second.apiKey.slice(0, 13),
      replaced: { prefix: first.apiKey.slice(0, 13), endsAtMs: NOW_MS + 10_000, lastUsedAtMs: NOW_MS },
    });
    test.nowMs += 1000;
    await test.store.keys.rotate(first.id, 10_000);
    expect(await test.store.keys.verify(first.apiKey, first.providerToken)).toMatchObject({
      endsAtMs: NOW_MS + 1000,
    });
    expect((await readKey(first.id)).replaced).toMatchObject({ prefix: second.apiKey.slice(0, 13) });
    test.nowMs += 10_000;
    expect((await readKey(first.id)).replaced).toBeNull();
  });

  it('ends the old pair at once without an overlap', async () => {
    const first = await createKey();
    await test.store.keys.rotate(first.id, 0);
    expect(await test.store.keys.verify(first.apiKey, first.providerToken)).toMatchObject({
      endsAtMs: NOW_MS,
    });
    expect((await readKey(first.id)).replaced).toBeNull();
  });

  it('leaves one pair without an end, also when two rotate at the same time', async () => {
    const { id } = await createKey();
    const made = await Promise.all([test.store.keys.rotate(id, 5000), test.store.keys.rotate(id, 5000)]);
    const found = await Promise.all(
      made.map((key) => test.store.keys.verify(key!.apiKey, key!.providerToken)),
    );
    expect(found.map((key) => key!.endsAtMs).filter((endsAtMs) => endsAtMs === null)).toHaveLength(1);
  });

  it('rotates no key that was revoked, has expired or is unknown', async () => {
    const revoked = await createKey();
    await test.store.keys.revoke(revoked.id);
    const expired = await createKey({ access: { expiresAtMs: NOW_MS + 1 } });
    test.nowMs += 1;
    for (const id of [revoked.id, expired.id, 'unknown'])
      expect(await test.store.keys.rotate(id, 0)).toBeNull();
  });
});

describe('last use', () => {
  it('is listed at once here, and in other processes once the store is closed', async () => {
    const store = await openStore({ databaseUrl: test.databaseUrl, now: test.now });
    const key = await createKey();
    const token = await test.store.ingestTokens.create({ usdot, name: 'phones' });
    await store.keys.verify(key.apiKey, key.providerToken);
    await store.ingestTokens.verify(token.token);
    const read = async (from: typeof store) => [
      (await from.keys.list(usdot)).find(({ id }) => id === key.id)!.lastUsedAtMs,
      (await from.ingestTokens.list(usdot)).find(({ id }) => id === token.id)!.lastUsedAtMs,
    ];
    expect(await read(store)).toEqual([NOW_MS, NOW_MS]);
    expect(await read(test.store)).toEqual([null, null]);
    await store.close();
    expect(await read(test.store)).toEqual([NOW_MS, NOW_MS]);
  });

  it('is not that of wrong credentials, nor of a key that has expired', async () => {
    const key = await createKey({ access: { expiresAtMs: NOW_MS + 1 } });
    await test.store.keys.verify(key.apiKey, (await createKey()).providerToken);
    test.nowMs += 1;
    await test.store.keys.verify(key.apiKey, key.providerToken);
    expect((await readKey(key.id)).lastUsedAtMs).toBeNull();
  });
});

describe('devices', () => {
  it('lists when the device of each vehicle last reported', async () => {
    await test.store.vehicles.upsertMany([toVehicle(1), toVehicle(2), toVehicle(3, { deviceId: null })]);
    await test.store.fixes.record(usdot, [toFix(1, NOW_MS - 90_000, { batteryPercent: 55 })]);
    await test.store.fixes.record(usdot, [{ ...toFix(2, NOW_MS), lat: null, lng: null }]);
    const silent = { reportedAtMs: null, fixAtMs: null, batteryPercent: null, heardAtMs: null };
    expect(await test.store.devices.list(usdot)).toMatchObject([
      {
        vin: toVin(1),
        truckNumber: 'T-1',
        deviceId: 'device-1',
        reportedAtMs: NOW_MS,
        fixAtMs: NOW_MS - 90_000,
        batteryPercent: 55,
        heardAtMs: null,
      },
      { vin: toVin(2), truckNumber: 'T-2', deviceId: 'device-2', ...silent, heardAtMs: NOW_MS },
      { vin: toVin(3), truckNumber: 'T-3', deviceId: null, ...silent },
    ]);
    expect(await test.store.devices.count(usdot)).toEqual({
      vehicles: 3,
      reportedAtMs: NOW_MS,
    });
    expect(await test.store.devices.list(OTHER_CARRIER.usdot)).toEqual([]);
  });
});
