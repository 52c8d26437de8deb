import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { createTestFleet } from '@/testing/view/fleet';
import { startStopwatch } from '@/testing/processor-time';
import { readAllRows } from './rows';
import { driveTimeText, nearestUnits } from './near';

const AMARILLO = { lat: 35.2, lng: -101.83 };
const fleet = createTestFleet([
  { truckNumber: 'Dallas', lat: 32.78, lng: -96.8 },
  { truckNumber: 'Lubbock', lat: 33.58, lng: -101.86 },
  { truckNumber: 'nowhere' },
  { truckNumber: 'Canyon', lat: 34.98, lng: -101.92 },
  { truckNumber: 'sign lost', lat: 35.2, lng: -101.83, flags: ['implausiblePosition'] },
  null,
  { truckNumber: 'Canyon too', lat: 34.98, lng: -101.92 },
]);
const namesNear = (rows: Int32Array, most: number) =>
  nearestUnits(fleet, rows, AMARILLO, most).map(({ row }) => fleet.identities[row]!.truckNumber);

describe('the nearest units', () => {
  it('come in the order of their distance, without those that have no position to trust', () => {
    expect(namesNear(readAllRows(fleet), 10)).toEqual(['Canyon', 'Canyon too', 'Lubbock', 'Dallas']);
    expect(namesNear(readAllRows(fleet), 1)).toEqual(['Canyon']);
    expect(namesNear(Int32Array.of(0, 2, 1), 10)).toEqual(['Lubbock', 'Dallas']);
    expect(namesNear(new Int32Array(0), 10)).toEqual([]);
  });

  it('have their distance in a straight line', () => {
    const [canyon] = nearestUnits(fleet, readAllRows(fleet), AMARILLO, 1);
    expect(canyon!.distanceM / 1609.344).toBeCloseTo(16, 0);
  });

  it('are those that a sort by distance gives, also across the 180th meridian', () => {
    const lat = fc.integer({ min: -85, max: 85 });
    const lng = fc.integer({ min: -180, max: 180 });
    const places = fc.array(fc.record({ lat, lng }), { maxLength: 30 });
    fc.assert(
      fc.property(places, fc.record({ lat, lng }), fc.integer({ min: 1, max: 8 }), (units, at, most) => {
        const drawn = createTestFleet(units);
        const sorted = units.map((unit) => distanceM(at, unit)).sort((a, b) => a - b);
        const found = nearestUnits(drawn, readAllRows(drawn), at, most).map((unit) => unit.distanceM);
        expect(found.length).toBe(Math.min(most, units.length));
        found.forEach((each, i) => expect(each).toBeCloseTo(sorted[i]!, -1));
      }),
    );
  });

  it('of 100,000 are found in a fifth of the time that a sort by distance takes', () => {
    const units = Array.from({ length: 100_000 }, (_, n) => ({
      lat: 26 + ((n * 7919) % 22_000) / 1000,
      lng: -120 + ((n * 104_729) % 50_000) / 1000,
    }));
    const large = createTestFleet(units);
    const rows = readAllRows(large);
    const find = () => nearestUnits(large, rows, AMARILLO, 25).map((unit) => unit.distanceM);
    const sort = () =>
      Float64Array.from(units, (unit) => distanceM(AMARILLO, unit))
        .sort()
        .slice(0, 25);
    expect(find()).toHaveLength(25);
    // By turns, and the fastest of each: other work on the machine lengthens single runs.
    const fastestMs = { find: Infinity, sort: Infinity };
    for (let turn = 0; turn < 7; turn++)
      for (const [name, run] of [['find', find] as const, ['sort', sort] as const]) {
        const readMs = startStopwatch();
        run();
        fastestMs[name] = Math.min(fastestMs[name], readMs());
      }
    expect(fastestMs.find / fastestMs.sort).toBeLessThan(0.2);
  });
});

it.each([
  [0, 'about 1 min'],
  [16 * 1609.344, 'about 24 min'],
  [100 * 1609.344, 'about 2 h 30 m'],
])('estimates the drive of %d m', (straightM, text) => {
  expect(driveTimeText(straightM)).toBe(text);
});
