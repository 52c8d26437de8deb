import type { LatLng } from '@/lib/wire/units';

const RADIANS_PER_DEGREE = Math.PI / 180;

/** The sixteen points of the compass, clockwise from north. */
const COMPASS_POINTS = [
  'N',
  'NNE',
  'NE',
  'ENE',
  'E',
  'ESE',
  'SE',
  'SSE',
  'S',
  'SSW',
  'SW',
  'WSW',
  'W',
  'WNW',
  'NW',
  'NNW',
] as const;
export type CompassPoint = (typeof COMPASS_POINTS)[number];

/** An angle in degrees, normalized to [0, 360). */
export const normalizeDeg = (deg: number): number => {
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
export const compassPoint = (deg: number, points: 8 | 16 = 16): CompassPoint => {
  const sector = Math.round(normalizeDeg(deg) / (360 / points)) % points;
  return COMPASS_POINTS[sector * (16 / points)]!;
};
