import { expect, test } from 'vitest';
import { UNNAMED, type Fleet } from '@/lib/wire/fleet';
import { findRow } from './unit-row';

const fleetOf = (...names: object[]): Fleet =>
  ({ identities: names.map((each, i) => ({ ...UNNAMED, key: `unit${i}`, ...each })) }) as Fleet;

test('a unit is found by the key that it had before its VIN came, unless several have that name', () => {
  const fleet = fleetOf({}, { vin: 'V', key: 'V', deviceId: 'D', truckNumber: '7' }, { truckNumber: '7' });
  expect(findRow(fleet, 'V')).toBe(1);
  expect(findRow(fleet, 'device:D')).toBe(1);
  expect(findRow(fleet, 'truck:7')).toBe(-1);
  expect(findRow(fleet, 'device:none')).toBe(-1);
});

test('a unit with the key itself comes before one that has it as a name', () => {
  expect(findRow(fleetOf({ deviceId: 'D' }, { key: 'device:D', deviceId: 'D' }), 'device:D')).toBe(1);
});
