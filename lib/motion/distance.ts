import type { LatLng } from '@/lib/wire/units';

/** Mean radius of the Earth in meters (IUGG R1). */
const EARTH_RADIUS_M = 6_371_008.8;

const RADIANS_PER_DEGREE = Math.PI / 180;

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
