import { expect, it } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import { rowsInBounds } from './filter';
import { toFirstMap } from './first-map';
import { EVERYTHING } from './view-state';

const fleet = createTestFleet([
  { lat: 40, lng: -100 },
  { lat: 30, lng: -80, status: 'silent' },
  { lat: 40, lng: -80, truckNumber: '7' },
  { lat: 89.9, lng: 10 },
  { lat: 0, lng: 0, flags: ['implausiblePosition'] },
  {},
  null,
]);

it('fits the units that the map fits', () => {
  const first = toFirstMap(fleet, EVERYTHING)!;
  [30, -100, 40, -80].forEach((degrees, i) => expect(first.bounds![i]).toBeCloseTo(degrees, 4));
  // 20° of longitude are 4,000 units, and the latitudes are ln(tan 65° / tan 60°) = 0.2136 of their radian apart.
  expect(first.size).toEqual([4000, 2448]);
  expect(first.paths).toEqual({ moving: 'm0 0h0m4000 0h0', silent: 'm4000 2448h0' });
});

it.each([
  [
    'Guam and Hawaii',
    [
      [13.48, 144.75],
      [21.3, -157.86],
    ],
  ],
  [
    'American Samoa and Saipan',
    [
      [-14.27, -170.7],
      [15.18, 145.75],
    ],
  ],
  [
    'the Aleutians on both sides of 180°',
    [
      [52.93, 172.9],
      [51.88, -176.65],
      [53.87, -166.53],
    ],
  ],
  [
    'Guam and Maine',
    [
      [13.48, 144.75],
      [44.8, -68.77],
    ],
  ],
])('fits %s by the shorter way, across the date line', (_, places) => {
  const units = places.map(([lat, lng]) => ({ lat: lat!, lng: lng! }));
  const { bounds, paths } = toFirstMap(createTestFleet(units), EVERYTHING)!;
  const [south, west, north, east] = bounds!;
  expect(east - west).toBeLessThan(180);
  const around = [south - 0.01, west - 0.01, north + 0.01, east + 0.01] as const;
  const all = rowsInBounds(createTestFleet(units), Int32Array.from(units.keys()), around);
  expect([...all]).toEqual([...units.keys()]);
  expect(paths.moving!.split('h0')).toHaveLength(units.length + 1);
});

it('is in pixels about the center of a camera, and leaves out what no screen reaches', () => {
  const camera = { lat: 40, lng: -99, zoom: 8 };
  // A degree of longitude is 256 · 2⁸ / 360 pixels.
  expect(toFirstMap(fleet, { ...EVERYTHING, camera })).toEqual({
    bounds: null,
    size: null,
    paths: { moving: 'm-182 0h0' },
  });
});

it('follows filter and search', () => {
  const camera = { lat: 40, lng: -90, zoom: 4 };
  const { paths } = toFirstMap(fleet, { ...EVERYTHING, camera, statuses: ['silent'] })!;
  expect(Object.keys(paths)).toEqual(['silent']);
  expect(Object.keys(toFirstMap(fleet, { ...EVERYTHING, camera, query: '7' })!.paths)).toEqual(['moving']);
});

it('has few dots of a large fleet, and of each square the rarer status', () => {
  const units = Array.from({ length: 20_000 }, (_, i) => ({
    lat: 30 + ((i * 7919) % 1000) / 100,
    lng: -100 + ((i * 104_729) % 2003) / 100,
    status: i === 777 ? ('silent' as const) : ('moving' as const),
  }));
  const { paths } = toFirstMap(createTestFleet(units), EVERYTHING)!;
  expect(paths.silent).toMatch(/^m\d+ \d+h0$/);
  const count = paths.moving!.split('h0').length;
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(601);
});

it('is not there for a selected unit without a camera, a yard, or no position at all', () => {
  expect(toFirstMap(fleet, { ...EVERYTHING, unit: 'unit:1' })).toBeNull();
  const yard = createTestFleet([
    { lat: 40, lng: -100 },
    { lat: 40.01, lng: -100.01 },
  ]);
  expect(toFirstMap(yard, EVERYTHING)).toBeNull();
  expect(toFirstMap(createTestFleet([{}]), EVERYTHING)).toBeNull();
});
