import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestStore } from '@/testing/service/store';
import { toOwnDeviceId } from '@/lib/devices/schema';
import { IS_LONG } from '@/testing/long';
import { CARRIER, OTHER_CARRIER, toVehicle } from '@/testing/service/vehicles';
import { parseCsv } from '@/lib/table-files/csv';
import { planImport } from './import-plan';
import { toVehicleCsv } from './vehicle-fields';

/** A heavy truck: 1989 or 2019 Kenworth. */
const KENWORTH = '1XKYD49X8KJ900001';
/** Its check digit is wrong. */
const UNCHECKED = '1XKYD49X7KJ900001';

const test = createTestStore();
const { usdot } = CARRIER;
beforeAll(() => test.store.carriers.upsert(CARRIER));

const plan = (text: string) =>
  planImport(test.store, parseCsv(text), {
    defaultUsdot: usdot,
    isMoveMeant: false,
    nowMs: Date.parse('2026-06-01'),
    messages: { unknownCarrier: () => 'unknown', otherOwner: () => 'taken' },
  });

describe('make and year', () => {
  it('are filled in from the VIN of an added vehicle, where the file does not give them', async () => {
    const { vehicles } = await plan(`vin,make,year,model\n${KENWORTH},,,T680\n${UNCHECKED},,,\n`);
    expect(vehicles).toMatchObject([
      {
        kind: 'added',
        vehicle: { make: 'Kenworth', year: 2019, model: 'T680' },
        filledFrom: '1989 or 2019 Kenworth',
      },
      { kind: 'added', vehicle: { make: null, year: null }, filledFrom: null },
    ]);
    const given = await plan(`vin,make,year\n${KENWORTH},KW,1989`);
    expect(given.vehicles).toMatchObject([{ vehicle: { make: 'KW', year: 1989 }, filledFrom: null }]);
    expect(given.warnings).toEqual([]);
  });

  it('stay as they are when the same file is imported again, and are not invented for a vehicle that is there', async () => {
    const file = `vin,make\n${KENWORTH},`;
    await (await plan(file)).run();
    expect(await plan(file)).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
    await test.store.vehicles.upsertMany([{ usdot, vin: KENWORTH }]);
    expect(await plan(file)).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
  });

  it('that contradict the VIN give a warning', async () => {
    const { faults, warnings } = await plan(`vin,make,model,year\n${KENWORTH},Ford,Mustang,2020`);
    expect(faults).toEqual([]);
    expect(warnings).toEqual([
      { line: 2, column: 'year', message: 'Model year 2020 is given; the VIN says 1989 or 2019.' },
      { line: 2, column: 'make', message: 'Ford Mustang is given; the VIN says Kenworth.' },
    ]);
  });
});

describe('the plan', () => {
  it('lists the fields of a changed vehicle with their old and new values', async () => {
    await test.store.vehicles.upsertMany([toVehicle(1, { usdot })]);
    const { vin } = toVehicle(1);
    const { vehicles } = await plan(`vin,truck_number,plate_state,year\n${vin},77,,2019`);
    expect(vehicles).toMatchObject([
      {
        line: 2,
        kind: 'changed',
        changes: [
          { column: 'truck_number', before: 'T-1', after: '77' },
          { column: 'plate_state', before: 'TX', after: null },
        ],
      },
    ]);
  });

  it('has the same id while its changes are the same', async () => {
    const file = `vin,truck_number\n${toVehicle(1).vin},77\n${toVehicle(3).vin},3`;
    const { id } = await plan(file);
    await test.store.vehicles.upsertMany([toVehicle(2, { usdot })]);
    expect((await plan(`${file}\n${toVehicle(2).vin},T-2`)).id).toBe(id);
    await test.store.vehicles.upsertMany([toVehicle(1, { usdot, truckNumber: '76' })]);
    expect((await plan(file)).id).not.toBe(id);
  });

  it('changes nothing for a file that was exported, also with texts like formulas', async () => {
    await test.store.vehicles.upsertMany([
      toVehicle(4, { usdot, truckNumber: "'=1+1", plateNumber: '-7;@x', model: 'é "quoted", 5' }),
      toVehicle(5, { usdot, deviceId: null, make: null, year: null }),
    ]);
    const exported = toVehicleCsv(await test.store.vehicles.list(usdot));
    const { added, changed, faults } = await plan(exported);
    expect([added, changed, faults]).toEqual([0, 0, []]);
  });
});

describe('any file against any store', () => {
  beforeAll(() => test.store.carriers.upsert(OTHER_CARRIER));
  /** Pairs of VINs with the same last eight characters. */
  const VINS = ['1M8GDM9A', '3AKJGLDR'].flatMap((start) => ['1', '2'].map((end) => `${start}XKP04278${end}`));
  const OWN = VINS.flatMap((vin) => [`truck-${vin.slice(-8).toLowerCase()}`, `truck-${vin.toLowerCase()}`]);
  const rowArb = fc.record({
    vin: fc.constantFrom(...VINS),
    usdot: fc.constantFrom(usdot, usdot, OTHER_CARRIER.usdot),
    deviceId: fc.constantFrom('', '', 'a', 'b', ...OWN),
  });
  const rowsArb = fc.uniqueArray(rowArb, { selector: ({ vin }) => vin, maxLength: VINS.length });
  const caseArb = fc.record({
    stored: rowsArb,
    rows: rowsArb,
    columns: fc.subarray(['usdot', 'deviceId'] as const),
    isMoveMeant: fc.boolean(),
    isOwnGiven: fc.boolean(),
  });
  type Case = typeof caseArb extends fc.Arbitrary<infer Value> ? Value : never;
  const ROLLED_BACK = new Error('rolled back');

  it('is imported as its preview says, where that has no fault', async () => {
    let clean = 0;
    const check = async ({ stored, rows, columns, isMoveMeant, isOwnGiven }: Case) => {
      const names = { usdot: 'usdot', deviceId: 'device_id' };
      const lines = rows.map((row) => [row.vin, ...columns.map((column) => row[column])].join());
      const table = parseCsv(
        [['vin', ...columns.map((column) => names[column])].join(), ...lines].join('\n'),
      );
      const options = {
        ...{ defaultUsdot: usdot, isMoveMeant, nowMs: 0 },
        ...(isOwnGiven && { toDeviceId: toOwnDeviceId }),
        messages: { unknownCarrier: () => 'unknown', otherOwner: () => 'taken' },
      };
      const importOnce = test.store.inTransaction(async (tx) => {
        const held = new Set<string>();
        const distinct = stored.filter(
          ({ usdot: of, deviceId }) => held.size < held.add(`${of} ${deviceId}`).size,
        );
        await test.store.vehicles.upsertMany(
          distinct.map((each) => ({ ...each, deviceId: each.deviceId || null })),
          tx,
        );
        const read = await planImport(test.store, table, options, tx);
        if (read.faults.length > 0) throw ROLLED_BACK;
        clean += 1;
        await read.run();
        const after = await planImport(test.store, table, options, tx);
        expect([after.added, after.changed, after.faults]).toEqual([0, 0, []]);
        for (const { vehicle } of read.vehicles) if (isOwnGiven) expect(vehicle.deviceId).not.toBeNull();
        throw ROLLED_BACK;
      });
      await expect(importOnce).rejects.toBe(ROLLED_BACK);
    };
    const numRuns = IS_LONG ? 2000 : 60;
    await fc.assert(fc.asyncProperty(caseArb, check), { numRuns });
    expect(clean).toBeGreaterThan(numRuns / 4);
  });
});
