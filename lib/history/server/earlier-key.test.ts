import { expect, test } from 'vitest';
import { UNNAMED } from '@/lib/wire/fleet';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { changesOf, setUpRecording } from '@/testing/history/recording';
import { toTexts } from './poll-changes';

const held = setUpRecording();
const VIN = '1M8GDM9AXKP042788';
const START_MS = Date.parse('2026-11-17T17:00:00Z');
const atMs = (minute: number): number => START_MS + minute * 60_000;

/** A poll with one unit, and a fix of it. */
const write = (
  minute: number,
  identity: Omit<UnitIdentity, keyof typeof UNNAMED> & Partial<UnitIdentity>,
) => {
  const names = JSON.stringify({ ...UNNAMED, ...identity });
  const changes = {
    ...changesOf(atMs(minute), [{ unit: identity.key, fixMs: atMs(minute) }]),
    identities: { count: 1, columns: [toTexts([identity.key]), toTexts([names])] },
  };
  return held.write({ usdot: '1', seenMs: atMs(minute), changes });
};

const readMinutes = async (unit: string, toMinute = 1000): Promise<number[]> => {
  const fixes = await held.reader.readTrail('1', unit, 0, atMs(toMinute));
  expect(await held.reader.countTrail('1', unit, 0, atMs(toMinute))).toBe(fixes.length);
  return fixes.map(({ fixAtMs }) => (fixAtMs - START_MS) / 60_000);
};

test('a trail begins before the VIN was known, where device and truck number were the same', async () => {
  const device = { key: 'device:D1', deviceId: 'D1', truckNumber: '116' };
  await write(0, device);
  await write(5, device);
  await write(10, { ...device, key: VIN, vin: VIN });
  await write(15, device);
  expect(await readMinutes(VIN)).toEqual([0, 5, 10]);
  expect(await readMinutes(VIN, 5)).toEqual([0]);
  expect(await readMinutes(device.key)).toEqual([0, 5, 15]);
});

test('a device that was in another truck, or in one without a number, tells nothing', async () => {
  await write(0, { key: 'device:D1', deviceId: 'D1', truckNumber: '200' });
  await write(1, { key: 'device:D1', deviceId: 'D1', truckNumber: '116' });
  await write(2, { key: 'device:D2', deviceId: 'D2' });
  await write(10, { key: VIN, vin: VIN, deviceId: 'D1', truckNumber: '116' });
  const other = '1FUJHHDR0NLNA1234';
  await write(10, { key: other, vin: other, deviceId: 'D2' });
  expect(await readMinutes(VIN)).toEqual([10]);
  expect(await readMinutes(other)).toEqual([10]);
});
