import { distanceM, sphericalAreaM2 } from '@/lib/geo/geodesy';
import { METERS_PER_FOOT, METERS_PER_MILE, type LatLng } from '@/lib/geo/units';
import { formatWhole } from '@/lib/view/format';

/** "0.078", "12.43", "1,234". */
const toMiles = (miles: number): string =>
  miles.toLocaleString('en-US', { maximumSignificantDigits: miles < 1 ? 2 : 4 });

/** "0.078 mi", the length of a part of a line. */
export const legText = (meters: number): string => `${toMiles(meters / METERS_PER_MILE)} mi`;

/** Beyond these, feet say nothing. */
const MOST_FEET_M = 100 * METERS_PER_MILE;
const MOST_SQUARE_FEET_M2 = 100 * METERS_PER_MILE ** 2;

/** "12.43 mi · 65,630 ft", "1,021 mi". */
export const lengthText = (meters: number): string =>
  meters >= MOST_FEET_M
    ? legText(meters)
    : `${legText(meters)} · ${formatWhole(Math.round(meters / METERS_PER_FOOT))} ft`;

/** "0.031 sq mi · 864,300 sq ft", "133,300 sq mi". */
export const areaText = (squareMeters: number): string => {
  const miles = `${toMiles(squareMeters / METERS_PER_MILE ** 2)} sq mi`;
  const feet = formatWhole(Math.round(squareMeters / METERS_PER_FOOT ** 2));
  return squareMeters >= MOST_SQUARE_FEET_M2 ? miles : `${miles} · ${feet} sq ft`;
};

const lengthOf = (points: readonly LatLng[]): number =>
  points.slice(1).reduce((sum, point, i) => sum + distanceM(points[i]!, point), 0);

/** What is measured, as text: null where there are too few points for it. */
export const measure = (points: readonly LatLng[]): { length: string | null; area: string | null } => ({
  length: points.length < 2 ? null : lengthText(lengthOf(points)),
  area: points.length < 3 ? null : areaText(sphericalAreaM2(points)),
});
