import { expect, it } from 'vitest';
import type { Site } from '@/lib/rules/site';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';
import { shapesWithin, siteAtPoint, toSiteShapes } from './site-shapes';

const YARD: Site = {
  ...{ id: 1, name: 'Yard', kind: 'yard', color: '#2f7de1', notes: '', openingHours: null, marginM: 75 },
  shape: { type: 'circle', lat: 40, lng: -100, radiusM: 1000 },
};
const DOCK: Site = { ...YARD, id: 2, shape: { type: 'circle', lat: 40, lng: -100, radiusM: 100 } };
const FIELD: Site = {
  ...{ ...YARD, id: 3 },
  shape: {
    type: 'polygon',
    corners: [
      [41, -100],
      [41, -99.9],
      [41.1, -100],
    ],
  },
};
const shapes = toSiteShapes([YARD, DOCK, FIELD]);

const METERS_PER_DEGREE = 111_195;

/** The site at a position, on a map with so many meters a pixel at 40°. */
const siteAt = (lat: number, lng: number, metersPerPixel: number): number | null => {
  const worldSizePx = (360 * METERS_PER_DEGREE * Math.cos((40 * Math.PI) / 180)) / metersPerPixel;
  const at = { x: toMercatorX(lng), y: toMercatorY(lat) };
  return siteAtPoint(shapes, at, { worldSizePx, reachPx: 10 })?.id ?? null;
};

it('a point is at the smallest site that it is inside of', () => {
  const northOf = (m: number): number => 40 + m / METERS_PER_DEGREE;
  expect(siteAt(40, -100, 1)).toBe(2);
  expect(siteAt(northOf(500), -100, 1)).toBe(1);
  expect(siteAt(northOf(995), -100, 1)).toBe(1);
  expect(siteAt(northOf(1005), -100, 1)).toBeNull();
  expect(siteAt(41.02, -99.98, 1)).toBe(3);
  // In its box, beyond its long side.
  expect(siteAt(41.08, -99.92, 1)).toBeNull();
});

it('a site that would be a dot is hit beside it', () => {
  expect(siteAt(40 + 4000 / METERS_PER_DEGREE, -100, 1000)).not.toBeNull();
  expect(siteAt(40 + 30_000 / METERS_PER_DEGREE, -100, 1000)).toBeNull();
});

it('has the shapes that touch a box, in the order of the sites', () => {
  const at = (lng: number, lat: number) => ({ x: toMercatorX(lng), y: toMercatorY(lat) });
  const [west, east] = [at(-100.001, 40.001), at(-99.999, 39.999)];
  const box = { left: west.x, top: west.y, right: east.x, bottom: east.y };
  expect(shapesWithin(shapes, box).map(({ site }) => site.id)).toEqual([1, 2]);
  expect(shapesWithin(toSiteShapes([]), box)).toEqual([]);
});
