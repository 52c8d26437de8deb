import { beforeEach, describe, expect, it, vi } from 'vitest';
import { TRACKING_PART, openDatabase } from '@/lib/database/database';
import { MigrationsMissingError } from '@/lib/database/migrate';
import { createEmptyDatabase } from '@/testing/database';
import { NOW_MS, createTestStore } from '../../testing/service/store';
import { CARRIER, OTHER_CARRIER, toFix, toVehicle, toVin } from '../../testing/service/vehicles';
import { silentLog } from '../log';
import { createCarrierStore } from './carriers';
import {
  DeviceTakenError,
  InvalidRecordError,
  RepeatedVehicleError,
  StoreOpenError,
  UnknownCarrierError,
} from './errors';
import { openStore } from './store';

const test = createTestStore();

beforeEach(async () => {
  test.nowMs = NOW_MS;
  for (const carrier of await test.store.carriers.list()) await test.store.carriers.remove(carrier.usdot);
  await test.store.carriers.upsert(CARRIER);
  await test.store.carriers.upsert(OTHER_CARRIER);
});

describe('opening', () => {
  it('lets several processes open the same new database at the same time', async () => {
    const { databaseUrl, drop } = await createEmptyDatabase();
    const { now } = test;
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ databaseUrl, now })));
    await stores[0]!.carriers.upsert(CARRIER);
    expect(await stores[3]!.carriers.read(CARRIER.usdot)).toEqual(CARRIER);
    await Promise.all(stores.map((store) => store.close()));
    await drop();
  });

  it('names the folder of the migrations when it is started from another folder', async () => {
    const here = process.cwd();
    process.chdir('/');
    try {
      await expect(openStore({ databaseUrl: test.databaseUrl, now: test.now })).rejects.toThrow(
        MigrationsMissingError,
      );
    } finally {
      process.chdir(here);
    }
  });

  it('reports that the database cannot be reached, with the cause', async () => {
    const opening = openStore({ databaseUrl: 'postgres://none@127.0.0.1:9/none', now: test.now });
    await expect(opening).rejects.toThrow(StoreOpenError);
    await expect(opening).rejects.toHaveProperty('cause.code', 'ECONNREFUSED');
  });
});

describe('carriers', () => {
  it('replaces the data of a carrier', async () => {
    await test.store.carriers.upsert({ ...CARRIER, usdot: '09000001', companyName: 'Renamed' });
    expect(await test.store.carriers.list()).toEqual([{ ...CARRIER, companyName: 'Renamed' }, OTHER_CARRIER]);
  });

  it('refuses what is not a USDOT number', async () => {
    await expect(test.store.carriers.upsert({ ...CARRIER, usdot: '123456789' })).rejects.toThrow(
      InvalidRecordError,
    );
  });

  it('removes a carrier with all its data', async () => {
    await test.store.vehicles.upsertMany([toVehicle(1)]);
    await test.store.fixes.record(CARRIER.usdot, [toFix(1, NOW_MS)]);
    expect(await test.store.carriers.remove(CARRIER.usdot)).toBe(true);
    expect(await test.store.carriers.remove(CARRIER.usdot)).toBe(false);
    expect(await test.store.vehicles.readByVin(toVin(1))).toBeNull();
  });

  it('removes the fixes of a carrier in statements of 10,000, and none of another one', async () => {
    const { databaseUrl, store } = test;
    await store.vehicles.upsertMany([toVehicle(1), toVehicle(2, { usdot: OTHER_CARRIER.usdot })]);
    const database = openDatabase(databaseUrl, TRACKING_PART, silentLog);
    const { pool } = database;
    await pool.query(
      `INSERT INTO tracking.fixes (vehicle_id, fix_at_ms, received_at_ms, lat, lng)
       SELECT id, at, at, 35, -101 FROM tracking.vehicles, generate_series(1, 10001) AS at`,
    );
    const query = vi.spyOn(pool, 'query');
    expect(await createCarrierStore(database).remove(CARRIER.usdot)).toBe(true);
    expect(query).toHaveBeenCalledTimes(2);
    expect((await pool.query('SELECT FROM tracking.fixes')).rowCount).toBe(10_001);
    await pool.end();
  });
});

describe('vehicles', () => {
  it('lists vehicles in the order in which they were added, as they are now', async () => {
    await test.store.vehicles.upsertMany([toVehicle(2), toVehicle(1)]);
    await test.store.vehicles.upsertMany([toVehicle(2, { truckNumber: 'new', plateState: null })]);
    const listed = await test.store.vehicles.list(CARRIER.usdot);
    expect(listed.map(({ vin, truckNumber, plateState }) => [vin, truckNumber, plateState])).toEqual([
      [toVin(2), 'new', null],
      [toVin(1), 'T-1', 'TX'],
    ]);
  });

  it('stores none of a set in which one vehicle is of an unknown carrier', async () => {
    const adding = test.store.vehicles.upsertMany([toVehicle(1), toVehicle(2, { usdot: '9000003' })]);
    await expect(adding).rejects.toThrow(UnknownCarrierError);
    expect(await test.store.vehicles.list(CARRIER.usdot)).toEqual([]);
  });

  it('names the row and field of every fault', async () => {
    const adding = test.store.vehicles.upsertMany([toVehicle(1), toVehicle(2, { vin: 'IOQ', year: 12 })]);
    await expect(adding).rejects.toHaveProperty('faults', [
      { row: 1, field: 'vin', message: 'is not a VIN (17 letters and digits, no I, O or Q)' },
      { row: 1, field: 'year', message: 'is before 1900' },
    ]);
  });

  it('refuses a VIN or a device in two rows', async () => {
    const twice = test.store.vehicles.upsertMany([
      toVehicle(1),
      toVehicle(1, { vin: toVin(1).toLowerCase() }),
    ]);
    await expect(twice).rejects.toThrow(RepeatedVehicleError);
    const shared = test.store.vehicles.upsertMany([toVehicle(1), toVehicle(2, { deviceId: 'device-1' })]);
    await expect(shared).rejects.toThrow(RepeatedVehicleError);
  });

  it('refuses a device of another vehicle, and lets two vehicles swap theirs', async () => {
    await test.store.vehicles.upsertMany([toVehicle(1), toVehicle(2)]);
    const taking = test.store.vehicles.upsertMany([toVehicle(3, { deviceId: 'device-1' })]);
    await expect(taking).rejects.toThrow(DeviceTakenError);
    await test.store.vehicles.upsertMany([
      toVehicle(1, { deviceId: 'device-2' }),
      toVehicle(2, { deviceId: 'device-1' }),
    ]);
    expect((await test.store.vehicles.readByVin(toVin(2)))?.deviceId).toBe('device-1');
  });

  it('drops the last position, and when the device was heard, when a vehicle changes fleet', async () => {
    await test.store.vehicles.upsertMany([toVehicle(1)]);
    const fix = toFix(1, NOW_MS);
    await test.store.fixes.record(CARRIER.usdot, [fix, { ...fix, lat: null, lng: null }]);
    await test.store.vehicles.upsertMany([toVehicle(1, { usdot: OTHER_CARRIER.usdot })]);
    expect(await test.store.vehicles.list(CARRIER.usdot)).toEqual([]);
    expect(await test.store.positions.listSince(OTHER_CARRIER.usdot, 0)).toEqual([]);
    const [device] = await test.store.devices.list(OTHER_CARRIER.usdot);
    expect(device).toMatchObject({ reportedAtMs: null, heardAtMs: null });
  });

  it('removes a vehicle', async () => {
    await test.store.vehicles.upsertMany([toVehicle(1)]);
    expect(await test.store.vehicles.remove(toVin(1))).toMatchObject({ vin: toVin(1) });
    expect(await test.store.vehicles.remove(toVin(1))).toBeNull();
  });
});
