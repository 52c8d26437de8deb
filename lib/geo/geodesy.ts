import type { LatLng } from './units';

/** Mean radius of the Earth in meters (IUGG R1). */
export const EARTH_RADIUS_M = 6_371_008.8;

export const RADIANS_PER_DEGREE = Math.PI / 180;

/** Meters in a degree of latitude, on the sphere of `distanceM`. */
export const METERS_PER_DEGREE = EARTH_RADIUS_M * RADIANS_PER_DEGREE;

/** A rectangle of degrees; `west` may be below -180 and `east` above 180. */
export type Bounds = readonly [south: number, west: number, north: number, east: number];

/**
 * Meters along the great circle from `a` to `b` on a sphere; off by at most 0.6 % from WGS 84.
 *
 * Haversine formula: R. W. Sinnott, "Virtues of the Haversine", Sky and Telescope 68 (2), 1984, p. 159.
 */
export const distanceM = (a: LatLng, b: LatLng): number => {
  const sinLat = Math.sin(((b.lat - a.lat) * RADIANS_PER_DEGREE) / 2);
  const sinLng = Math.sin(((b.lng - a.lng) * RADIANS_PER_DEGREE) / 2);
  const cosines = Math.cos(a.lat * RADIANS_PER_DEGREE) * Math.cos(b.lat * RADIANS_PER_DEGREE);
  const h = sinLat * sinLat + cosines * sinLng * sinLng;
  // Rounding lifts h above 1 for antipodes, where asin would be NaN.
  return 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(Math.min(1, h)));
};

/** The bounds of positions that are given as latitude and longitude; null for none. */
export const toBounds = (corners: Iterable<readonly [lat: number, lng: number]>): Bounds | null => {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lat, lng] of corners) {
    [south, north] = [Math.min(south, lat), Math.max(north, lat)];
    [west, east] = [Math.min(west, lng), Math.max(east, lng)];
  }
  return south === Infinity ? null : [south, west, north, east];
};

/** The bounds that hold all of some; null for none. */
export const joinBounds = (boxes: readonly Bounds[]): Bounds | null =>
  toBounds(
    boxes.flatMap(([south, west, north, east]) => [
      [south, west],
      [north, east],
    ]),
  );

/** A box that holds all points within `apartM` of the given bounds. */
export const expand = ([south, west, north, east]: Bounds, apartM: number): Bounds => {
  const lat = apartM / METERS_PER_DEGREE;
  const farthest = Math.min(89, Math.max(Math.abs(south), Math.abs(north)) + lat);
  const lng = lat / Math.cos(farthest * RADIANS_PER_DEGREE);
  return [south - lat, west - lng, north + lat, east + lng];
};

/**
 * Square meters of a polygon on a sphere, whichever way its corners go round; 0 for fewer than three.
 *
 * Formula: R. G. Chamberlain and W. H. Duquette, "Some algorithms for polygons on a sphere", JPL Publication 07-03, 2007.
 */
export const sphericalAreaM2 = (corners: readonly LatLng[]): number => {
  const doubled = corners.reduce((sum, { lat, lng }, i) => {
    const next = corners[(i + 1) % corners.length]!;
    const [sin, nextSin] = [Math.sin(lat * RADIANS_PER_DEGREE), Math.sin(next.lat * RADIANS_PER_DEGREE)];
    return sum + wrapLng(next.lng - lng) * RADIANS_PER_DEGREE * (2 + sin + nextSin);
  }, 0);
  return (Math.abs(doubled) / 2) * EARTH_RADIUS_M ** 2;
};

/** The one of the longitudes of a meridian, 360° apart, that is nearest to another longitude. */
export const nearestLng = (lng: number, about: number): number => lng + 360 * Math.round((about - lng) / 360);

/** A longitude normalized to [-180, 180]. */
export const wrapLng = (lng: number): number => (lng > 180 ? lng - 360 : lng < -180 ? lng + 360 : lng);

/** The position at `fraction` (0 to 1) of the short way from `a` to `b`, linear in degrees: enough for some minutes. */
export const interpolate = (a: LatLng, b: LatLng, fraction: number): LatLng => {
  const t = Math.min(1, Math.max(0, fraction));
  // The end points are returned exactly: a * 0 + b * 1 would round.
  if (t === 0) return { lat: a.lat, lng: a.lng };
  if (t === 1) return { lat: b.lat, lng: b.lng };
  return { lat: a.lat + (b.lat - a.lat) * t, lng: wrapLng(a.lng + wrapLng(b.lng - a.lng) * t) };
};

/** The sixteen points of the compass, clockwise from north. */
const COMPASS_POINTS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** An angle in degrees, normalized to [0, 360). */
const normalizeDeg = (deg: number): number => {
  const turned = deg % 360;
  // A tiny negative angle plus 360 rounds to 360 itself, hence the second remainder.
  return turned < 0 ? (turned + 360) % 360 : turned + 0;
};

/**
 * Initial bearing of the great circle from `a` to `b`: degrees clockwise from true north, in [0, 360);
 * 0 when the two are one point.
 *
 * Formula: E. Williams, "Aviation Formulary", section "Course between points".
 */
export const bearingDeg = (a: LatLng, b: LatLng): number => {
  const latA = a.lat * RADIANS_PER_DEGREE;
  const latB = b.lat * RADIANS_PER_DEGREE;
  const east = (b.lng - a.lng) * RADIANS_PER_DEGREE;
  const y = Math.sin(east) * Math.cos(latB);
  const x = Math.cos(latA) * Math.sin(latB) - Math.sin(latA) * Math.cos(latB) * Math.cos(east);
  return normalizeDeg(Math.atan2(y, x) / RADIANS_PER_DEGREE);
};

/** The nearest compass point to a heading, of sixteen ('NNE') or eight ('NE'). */
export const compassPoint = (deg: number, points: 8 | 16 = 16): string => {
  const sector = Math.round(normalizeDeg(deg) / (360 / points)) % points;
  return COMPASS_POINTS[sector * (16 / points)]!;
};

/** Kilometers per hour in one meter per millisecond. */
export const KPH_PER_M_PER_MS = 3600;

/** The speed for a distance in meters and a time in milliseconds, km/h. */
export const toKph = (meters: number, spanMs: number): number => (meters / spanMs) * KPH_PER_M_PER_MS;
