import {
  distanceM,
  expand,
  interpolate,
  nearestLng,
  type Bounds,
  RADIANS_PER_DEGREE,
} from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { boundsOf as boundsOfShape, signedDistanceM } from '@/lib/rules/geofence';
import { crossesPolygon } from '@/lib/rules/polygon';
import type { SiteShape } from '@/lib/rules/site';

/** A rectangle of degrees. One whose west is east of its east goes across the 180th meridian. */
export interface Rectangle {
  kind: 'rectangle';
  south: number;
  west: number;
  north: number;
  east: number;
}

/** The area within `radiusM` of a point, by the great circle. */
export interface Circle extends LatLng {
  kind: 'circle';
  radiusM: number;
}

export type Area = Rectangle | Circle;

/** The area of a site, with the margin by which a unit may be outside of its shape. */
export interface SiteArea {
  kind: 'site';
  shape: SiteShape;
  marginM: number;
}

/** An area that was drawn, or that of a site. */
export type Region = Area | SiteArea;

export const LEAST_RADIUS_M = 20;
export const MOST_RADIUS_M = 500_000;
/** Farther north or south, a circle may hold a pole. */
const MOST_LAT = 80;

/** The box about an area. Its west or its east is beyond 180° where the area goes across the 180th meridian. */
export const boundsOf = (area: Region): Bounds => {
  if (area.kind === 'site') return expand(boundsOfShape(area.shape), area.marginM);
  if (area.kind === 'circle') return expand([area.lat, area.lng, area.lat, area.lng], area.radiusM);
  const { south, west, north, east } = area;
  return [south, west, north, east < west ? east + 360 : east];
};

const middleOf = (area: Rectangle): number => {
  const [, west, , east] = boundsOf(area);
  return (west + east) / 2;
};

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** How far a position is outside of an area, in meters by the great circle; 0 inside and on its edge. */
export const outsideM = (area: Region, at: LatLng): number => {
  if (area.kind === 'site') return Math.max(0, signedDistanceM(area.shape, at) - area.marginM);
  if (area.kind === 'circle') return Math.max(0, distanceM(area, at) - area.radiusM);
  const [south, west, north, east] = boundsOf(area);
  const near = { lat: at.lat, lng: nearestLng(at.lng, middleOf(area)) };
  const nearest = { lat: clamp(near.lat, south, north), lng: clamp(near.lng, west, east) };
  return nearest.lat === near.lat && nearest.lng === near.lng ? 0 : distanceM(nearest, near);
};

/** Clips a segment by one pair of sides (Liang and Barsky, "A New Concept and Method for Line Clipping", 1984). */
const clip = (
  [enter, leave]: [number, number],
  from: number,
  by: number,
  least: number,
  most: number,
): [number, number] => {
  if (by === 0) return from < least || from > most ? [1, 0] : [enter, leave];
  const [a, b] = [(least - from) / by, (most - from) / by];
  return [Math.max(enter, Math.min(a, b)), Math.min(leave, Math.max(a, b))];
};

const meetsRectangle = (area: Rectangle, from: LatLng, to: LatLng): boolean => {
  const [south, west, north, east] = boundsOf(area);
  const fromLng = nearestLng(from.lng, middleOf(area));
  const byLat = clip([0, 1], from.lat, to.lat - from.lat, south, north);
  const [enter, leave] = clip(byLat, fromLng, nearestLng(to.lng, fromLng) - fromLng, west, east);
  return enter <= leave;
};

/** The nearest point is found on the plane that touches the sphere at the center; its distance is by the great circle. */
const meetsCircle = (area: Circle, from: LatLng, to: LatLng): boolean => {
  const shrink = Math.cos(area.lat * RADIANS_PER_DEGREE);
  const [x, y] = [(nearestLng(from.lng, area.lng) - area.lng) * shrink, from.lat - area.lat];
  const [dx, dy] = [(nearestLng(to.lng, from.lng) - from.lng) * shrink, to.lat - from.lat];
  const length2 = dx * dx + dy * dy;
  const along = length2 === 0 ? 0 : -(x * dx + y * dy) / length2;
  return distanceM(area, interpolate(from, to, along)) <= area.radiusM;
};

/** Whether the line between two positions, straight in degrees as on the map, meets an area. */
export const meetsLine = (area: Region, from: LatLng, to: LatLng): boolean => {
  if (area.kind === 'rectangle') return meetsRectangle(area, from, to);
  if (area.kind === 'circle') return meetsCircle(area, from, to);
  const { shape, marginM } = area;
  // The margin of a polygon does not count here: it is for the scatter of fixes.
  return shape.type === 'circle'
    ? meetsCircle({ kind: 'circle', ...shape, radiusM: shape.radiusM + marginM }, from, to)
    : crossesPolygon(shape.corners, from, to);
};

/** An area as in addresses: "circle:35.2,-101.83,5000" or "rectangle:35.1,-102,35.3,-101.7". */
export const formatArea = (area: Area): string => {
  const degrees = (value: number): string => String(Math.round(value * 1e5) / 1e5);
  return area.kind === 'circle'
    ? `circle:${degrees(area.lat)},${degrees(area.lng)},${Math.round(area.radiusM)}`
    : `rectangle:${[area.south, area.west, area.north, area.east].map(degrees).join(',')}`;
};

/** The fault of an area, in words; null: it has none. */
export const faultOf = (area: Area): string | null => {
  const [south, west, north, east] = boundsOf(area);
  if (![south, west, north, east].every(Number.isFinite)) return 'Enter numbers.';
  if (area.kind === 'circle' && !(area.radiusM >= LEAST_RADIUS_M && area.radiusM <= MOST_RADIUS_M))
    return 'Choose a radius from 20 m to 500 km.';
  if (area.kind === 'circle' && Math.abs(area.lat) > MOST_LAT) return 'Choose a latitude from -80 to 80.';
  if (south < -90 || north > 90 || south >= north) return 'The south has to be below the north.';
  if (area.kind === 'circle') return Math.abs(area.lng) > 180 ? 'Choose a longitude from -180 to 180.' : null;
  if ([area.west, area.east].some((lng) => Math.abs(lng) > 180)) return 'Choose longitudes from -180 to 180.';
  // Across the 180th meridian an area has its west east of its east; one that is nearly the Earth is a mistake.
  if (area.west >= area.east && !(east - west <= 180 && area.west !== area.east))
    return 'The west has to be left of the east.';
  return null;
};

const AREA = /^(circle|rectangle):(-?\d{1,3}(?:\.\d{1,9})?(?:,-?\d{1,6}(?:\.\d{1,9})?){2,3})$/;

/** The area that `formatArea` wrote; null where it is none. */
export const parseArea = (text: string): Area | null => {
  const [, kind, list] = AREA.exec(text) ?? [];
  const values = list?.split(',').map(Number) ?? [];
  const [a, b, c, d] = values as [number, number, number, number];
  const area: Area =
    kind === 'circle'
      ? { kind, lat: a, lng: b, radiusM: c }
      : { kind: 'rectangle', south: a, west: b, north: c, east: d };
  return values.length === (kind === 'circle' ? 3 : 4) && faultOf(area) === null ? area : null;
};
