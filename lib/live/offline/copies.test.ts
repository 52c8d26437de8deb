import { expect, it } from 'vitest';
import { toStoredMap } from './copies';

const STORED = ['/api/fleets/9000001/live', '/fleets/9000001'];

it.each([
  ['/fleets/9000001/roster', '/fleets/9000001'],
  ['/fleets/9000001/units/1FUJHHDR0NLNA1234', '/fleets/9000001?unit=1FUJHHDR0NLNA1234'],
  ['/fleets/90000010/roster', '/'],
  ['/users', '/'],
])('in place of %s leads to %s', (path, map) => {
  expect(toStoredMap(path, STORED)).toBe(map);
  expect(toStoredMap(path, [])).toBeNull();
});
