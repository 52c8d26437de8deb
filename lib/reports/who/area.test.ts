import { expect, it } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { boundsOf, faultOf, formatArea, meetsLine, outsideM, parseArea, type Area } from './area';

const CIRCLE: Area = { kind: 'circle', lat: 60, lng: 10, radiusM: 1000 };
const BOX: Area = { kind: 'rectangle', south: 35, west: -102, north: 35.1, east: -101.9 };

it('a circle ends where the great circle says so, and lies in its box', () => {
  const north = { lat: 60 + 1000 / 111_195, lng: 10 };
  const east = { lat: 60, lng: 10 + 2000 / 111_195 };
  expect(outsideM(CIRCLE, { ...north, lat: north.lat - 1e-6 })).toBe(0);
  expect(outsideM(CIRCLE, { lat: 60 + 1500 / 111_195, lng: 10 })).toBeCloseTo(500, 0);
  // At 60° a degree of longitude is half as long as one of latitude.
  expect(outsideM(CIRCLE, { ...east, lng: east.lng - 1e-5 })).toBe(0);
  expect(outsideM(CIRCLE, { ...east, lng: east.lng + 1e-5 })).toBeGreaterThan(0);
  const [south, , , right] = boundsOf(CIRCLE);
  expect(distanceM(CIRCLE, { lat: south, lng: 10 })).toBeCloseTo(1000, 0);
  expect(distanceM(CIRCLE, { lat: 60, lng: right })).toBeGreaterThan(1000);
});

it('a position beside a rectangle is as far off as its nearest side or corner', () => {
  expect(outsideM(BOX, { lat: 35.1, lng: -102 })).toBe(0);
  expect(outsideM(BOX, { lat: 35.2, lng: -101.95 })).toBeCloseTo(11_119.5, 0);
  expect(outsideM(BOX, { lat: 34.9, lng: -102.1 })).toBeCloseTo(
    distanceM({ lat: 34.9, lng: -102.1 }, { lat: 35, lng: -102 }),
  );
});

it('a line meets an area that it crosses, touches or lies in, and none that it only points at', () => {
  const meets = (area: Area, ...[a, b, c, d]: [number, number, number, number]): boolean =>
    meetsLine(area, { lat: a, lng: b }, { lat: c, lng: d });
  expect(meets(BOX, 35.05, -103, 35.05, -101)).toBe(true);
  expect(meets(BOX, 35.05, -103, 35.05, -102)).toBe(true);
  expect(meets(BOX, 35.02, -101.95, 35.03, -101.95)).toBe(true);
  expect(meets(BOX, 35.05, -103, 35.05, -102.001)).toBe(false);
  // Its box overlaps that of the corner.
  expect(meets(BOX, 35.08, -102.05, 35.15, -101.98)).toBe(false);
  expect(meets(BOX, 34, -101.95, 34, -101.95)).toBe(false);
  expect(meets(CIRCLE, 59.9, 9.9, 60.1, 10.1)).toBe(true);
  expect(meets(CIRCLE, 60.0089, 9.9, 60.0089, 10.1)).toBe(true);
  expect(meets(CIRCLE, 60.0091, 9.9, 60.0091, 10.1)).toBe(false);
  expect(meets(CIRCLE, 60, 9.9, 60, 9.98)).toBe(false);
});

it('an address names an area that can be searched', () => {
  for (const area of [CIRCLE, BOX]) expect(parseArea(formatArea(area))).toEqual(area);
  const refused = [
    'circle:35,-101,5',
    'circle:35,-101',
    'circle:85,-101,500',
    'rectangle:35,-101,34,-100',
    'rectangle:35,-101,36,-102',
    'rectangle:35,10,36,10',
    'circle:35,181,500',
    'rectangle:35,-101,36,-100,7',
    'polygon:35,-101,36',
    'circle:35,-101,1e3',
  ];
  expect(refused.filter((text) => parseArea(text) !== null)).toEqual([]);
  expect(faultOf({ ...CIRCLE, radiusM: NaN })).toBe('Enter numbers.');
});

it('the area of a site has its shape and its margin, also across a side of a polygon', () => {
  const corners: [number, number][] = [
    [35, -101],
    [35, -100.9],
    [35.1, -100.9],
    [35.1, -101],
  ];
  const polygon = { kind: 'site', shape: { type: 'polygon', corners }, marginM: 75 } as const;
  expect(outsideM(polygon, { lat: 35.05, lng: -100.95 })).toBe(0);
  expect(outsideM(polygon, { lat: 34.9995, lng: -100.95 })).toBe(0);
  expect(outsideM(polygon, { lat: 34.99, lng: -100.95 })).toBeCloseTo(1112 - 75, -1);
  expect(meetsLine(polygon, { lat: 35.05, lng: -101.1 }, { lat: 35.05, lng: -100.8 })).toBe(true);
  expect(meetsLine(polygon, { lat: 35.2, lng: -101.1 }, { lat: 35.2, lng: -100.8 })).toBe(false);
  const circle = { type: 'circle', lat: 35, lng: -101, radiusM: 500 } as const;
  const site = { kind: 'site', shape: circle, marginM: 100 } as const;
  expect(meetsLine(site, { lat: 35.005, lng: -101.1 }, { lat: 35.005, lng: -100.9 })).toBe(true);
  expect(meetsLine(site, { lat: 35.006, lng: -101.1 }, { lat: 35.006, lng: -100.9 })).toBe(false);
});
