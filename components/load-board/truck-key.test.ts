import { expect, it } from 'vitest';
import type { UnitIdentity } from '@/lib/wire/fleet';
import { truckKeyOf } from './truck-key';

const unit = (key: string, truckNumber: string): UnitIdentity => ({
  ...{ key, vin: null, truckNumber, plateState: null, plateNumber: null, make: null, model: null },
  ...{ year: null, fuelType: null, assetType: null, deviceId: null },
});
const IDENTITIES = [unit('a', '101'), null, unit('b', 'Rig 7'), unit('c', '102'), unit('d', '102')];

it.each([
  ['101', null, 'a'],
  [' rig 7', null, 'b'],
  ['nothing', null, null],
  // Two trucks have this number.
  ['102', null, null],
  ['102', { key: 'd', name: '102' }, 'd'],
  // Its truck is not in the answers of the provider any more.
  ['7Q9001', { key: 'XX7Q9001', name: '7Q9001' }, 'XX7Q9001'],
  ['101', { key: 'd', name: '102' }, 'a'],
] as const)('the truck %j of a load that had %j is %j', (name, held, key) => {
  expect(truckKeyOf(IDENTITIES, name, held)).toBe(key);
});
