import { expect, it } from 'vitest';
import { setUpOwnRecording, toOwnVehicle } from '@/testing/service/own-recording';
import { OWN_CARRIER, toFix, toVin } from '@/testing/service/vehicles';
import { HOUR_MS } from '@/lib/base/time';

const { usdot } = OWN_CARRIER;
const START = 495_000 * HOUR_MS;

const own = setUpOwnRecording(START);

const readRecorded = async (): Promise<Record<string, string | null>> => {
  const names = await own.held.reader.readNames(usdot, null);
  return Object.fromEntries([...names].map(([vin, { truckNumber }]) => [vin, truckNumber]));
};

it('trucks that no poll shows have their numbers from the store, live and in the recording, also once renamed', async () => {
  await own.store.vehicles.upsertMany([toOwnVehicle(1), toOwnVehicle(2), toOwnVehicle(3)]);
  // One reports, one did so before the window of active trucks, and one never did.
  await own.store.fixes.record(usdot, [toFix(1, START), toFix(2, START - 9 * HOUR_MS)]);
  await own.poll();
  const numbers = { [toVin(1)]: 'T-1', [toVin(2)]: 'T-2', [toVin(3)]: 'T-3' };
  expect(await own.readNumbers()).toEqual(numbers);
  expect(await readRecorded()).toEqual(numbers);

  await own.store.vehicles.change(usdot, toVin(3), { truckNumber: '104', deviceId: 'device-3' });
  own.nowMs += 30_000;
  await own.learnNames();
  await own.poll();
  expect(await own.readNumbers()).toEqual({ ...numbers, [toVin(3)]: '104' });
  expect(await readRecorded()).toEqual({ ...numbers, [toVin(3)]: '104' });
  await own.restart();
  await own.poll();
  expect(await own.readNumbers()).toEqual({ ...numbers, [toVin(3)]: '104' });
});
