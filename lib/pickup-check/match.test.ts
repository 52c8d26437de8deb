import { expect, it } from 'vitest';
import { matchTruck, readTyped } from './match';

const TRUCK = { vin: '1M8GDM9AXKP042788', plateState: 'TX', plateNumber: 'R1-234', truckNumber: '0118' };

it.each([
  ['KP042788', 'vin'],
  ['kp 04-2788', 'vin'],
  ['KPO42788', 'vin'],
  ['1M8GDM9AXKP042788', 'vin'],
  ['VIN: 1M8GDM9AXKP042788', 'vin'],
  ['r1 234', 'plate'],
  ['TX R1234', 'plate'],
  ['118', 'number'],
  ['#0118', 'number'],
  ['Truck 118', 'number'],
  ['unit118', 'number'],
  // Less, or more, than what was agreed names no truck.
  ['P042788', null],
  ['AXKP042788', null],
  ['1M8GDM9AXKP042789', null],
  ['CA R1234', null],
  ['1118', null],
  ['0', null],
] as const)('what a dock types: %s', (text, by) => {
  expect(matchTruck(readTyped(text)!, TRUCK)).toBe(by);
});

it('reads nothing of a text without letters and digits, or of one that is too long', () => {
  for (const text of ['', ' -/ ', '1'.repeat(41)]) expect(readTyped(text)).toBeNull();
  expect(readTyped('Plate')).toBe('PLATE');
});

it('matches no truck by what it does not have', () => {
  const none = { vin: null, plateState: 'TX', plateNumber: null, truckNumber: null };
  for (const text of ['TX', 'NULL', '0', 'KP042788']) expect(matchTruck(readTyped(text)!, none)).toBeNull();
  expect(matchTruck('12345678', { ...none, vin: '5678' })).toBeNull();
});
