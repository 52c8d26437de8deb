import { METERS_PER_DEGREE, nearestLng, wrapLng, RADIANS_PER_DEGREE } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';

/** A smaller polygon is a line, or a slip of the pointer. */
const LEAST_AREA_M2 = 100;

type Corner = readonly [lat: number, lng: number];

/** The corners of a polygon without a break: one that is wider than 180° has its west counted on beyond 180° E. */
export const toContinuous = <T extends Corner>(corners: readonly T[]): readonly (T | [number, number])[] => {
  let [west, east] = [Infinity, -Infinity];
  for (const [, lng] of corners) [west, east] = [Math.min(west, lng), Math.max(east, lng)];
  return east - west > 180 ? corners.map(([lat, lng]) => [lat, lng < 0 ? lng + 360 : lng]) : corners;
};

/** Twice the signed area of a triangle, square degrees: its sign tells on which side of the line a–b the corner c is. */
const turn = (a: Corner, b: Corner, c: Corner): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

const cross = (a: Corner, b: Corner, c: Corner, d: Corner): boolean =>
  turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;

/** Area of a polygon whose size is small against the Earth's, m². */
const polygonAreaM2 = (corners: readonly Corner[]): number => {
  let doubled = 0;
  let latSum = 0;
  corners.forEach(([lat, lng], i) => {
    const [nextLat, nextLng] = corners[(i + 1) % corners.length]!;
    doubled += lng * nextLat - nextLng * lat;
    latSum += lat;
  });
  const shrink = Math.cos((latSum / corners.length) * RADIANS_PER_DEGREE);
  return (Math.abs(doubled) / 2) * METERS_PER_DEGREE ** 2 * shrink;
};

/** Whether two sides of a polygon cross. The sides are compared in the order of their latitudes, so that few are. */
const crossesItself = (corners: readonly Corner[]): boolean => {
  const sides = corners
    .map((from, index) => ({ index, from, to: corners[(index + 1) % corners.length]! }))
    .map((side) => ({
      ...side,
      south: Math.min(side.from[0], side.to[0]),
      north: Math.max(side.from[0], side.to[0]),
    }))
    .sort((a, b) => a.south - b.south);
  return sides.some((side, i) => {
    for (let j = i + 1; j < sides.length && sides[j]!.south <= side.north; j++)
      if (cross(side.from, side.to, sides[j]!.from, sides[j]!.to)) return true;
    return false;
  });
};

/** Whether the line between two positions, straight in degrees, crosses a side of a polygon. */
export const crossesPolygon = (given: readonly Corner[], from: LatLng, to: LatLng): boolean => {
  const corners = toContinuous(given);
  const near = corners[0]![1];
  const fromLng = nearestLng(from.lng, near);
  const [a, b]: [Corner, Corner] = [
    [from.lat, fromLng],
    [to.lat, nearestLng(to.lng, fromLng)],
  ];
  return corners.some((corner, i) => cross(a, b, corner, corners[(i + 1) % corners.length]!));
};

/** Why corners are no polygon, as text; null: they are one. */
export const polygonFault = (given: readonly Corner[]): string | null => {
  const corners = toContinuous(given);
  const isRepeated = corners.some(([lat, lng], i) => {
    const [nextLat, nextLng] = corners[(i + 1) % corners.length]!;
    return lat === nextLat && lng === nextLng;
  });
  if (isRepeated) return 'Two corners in a row are the same.';
  if (crossesItself(corners)) return 'Two sides of the polygon cross.';
  return polygonAreaM2(corners) < LEAST_AREA_M2 ? 'The corners enclose no area.' : null;
};

/** A circle by its middle, or a polygon. */
type Shape = (LatLng & { type: 'circle' }) | { type: 'polygon'; corners: readonly Corner[] };

/** The middle of a circle, or the mean of a polygon's corners. */
export const centerOf = (shape: Shape): LatLng => {
  if (shape.type === 'circle') return { lat: shape.lat, lng: shape.lng };
  const corners = toContinuous(shape.corners);
  const mean = (axis: 0 | 1): number =>
    corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  return { lat: mean(0), lng: wrapLng(mean(1)) };
};
