import type { LatLng } from '@/lib/wire/units';
import type { Radii } from './accuracy';
import { METERS_PER_DEGREE, RADIANS_PER_DEGREE } from './geodesy';
import type { MotionSettings } from './settings';
import { countFixes, fixOf } from './track';
import type { Fix, Track } from './track';

/** The bounding box of a unit since its first fix there; every fix of the place counts, held or not. */
export interface Place {
  south: number;
  north: number;
  /** Degrees of longitude without a break at the antimeridian, so that `east` may be above 180. */
  west: number;
  east: number;
  firstAtMs: number;
  lastAtMs: number;
  fixes: number;
}

export const toPlace = ({ lat, lng, fixAtMs }: Fix): Place => ({
  south: lat,
  north: lat,
  west: lng,
  east: lng,
  firstAtMs: fixAtMs,
  lastAtMs: fixAtMs,
  fixes: 1,
});

/** The longitude of the same meridian that is nearest to `near`. */
const unwrap = (lng: number, near: number): number => lng + 360 * Math.round((near - lng) / 360);

/** The place with one more fix, which may be older or newer than all others. */
export const withFixInPlace = (place: Place, { lat, lng, fixAtMs }: Fix): Place => {
  const east = unwrap(lng, place.west);
  return {
    south: Math.min(place.south, lat),
    north: Math.max(place.north, lat),
    west: Math.min(place.west, east),
    east: Math.max(place.east, east),
    firstAtMs: Math.min(place.firstAtMs, fixAtMs),
    lastAtMs: Math.max(place.lastAtMs, fixAtMs),
    fixes: place.fixes + 1,
  };
};

/** The place that holds all fixes of two. */
export const joinPlaces = (a: Place, b: Place): Place => {
  const apart = unwrap(b.west, a.west) - b.west;
  return {
    south: Math.min(a.south, b.south),
    north: Math.max(a.north, b.north),
    west: Math.min(a.west, b.west + apart),
    east: Math.max(a.east, b.east + apart),
    firstAtMs: Math.min(a.firstAtMs, b.firstAtMs),
    lastAtMs: Math.max(a.lastAtMs, b.lastAtMs),
    fixes: a.fixes + b.fixes,
  };
};

export const isInside = ({ south, north, west, east }: Place, { lat, lng }: LatLng): boolean => {
  const near = unwrap(lng, west);
  return lat >= south && lat <= north && near >= west && near <= east;
};

/** The diagonal of the box, m: no two fixes of the place are further apart. */
export const toExtentM = ({ south, north, west, east }: Place): number => {
  const shrink = Math.cos(((south + north) / 2) * RADIANS_PER_DEGREE);
  const high = north - south;
  const wide = (east - west) * shrink;
  // Math.hypot is slower, and this runs for each fix.
  return METERS_PER_DEGREE * Math.sqrt(high * high + wide * wide);
};

export const centerOf = ({ south, north, west, east }: Place): LatLng => ({
  lat: (south + north) / 2,
  lng: (west + east) / 2,
});

const toWalkMs = (meters: number, { walkMps }: MotionSettings): number => (meters / walkMps) * 1000;

/**
 * How long fixes must be within `extentM` to show that a unit stands, ms: longer than walking that far takes,
 * and longer still where a unit may drive for a while before its coordinates change.
 */
const toStandMs = (extentM: number, leastMs: number, { stepM }: Radii, settings: MotionSettings): number => {
  return (
    Math.max(leastMs, Math.min(toWalkMs(extentM, settings), settings.standAtMostMs)) +
    Math.min(toWalkMs(stepM, settings), settings.coarseStandMs)
  );
};

/** Whether the fixes of a place show that the unit stands there. */
export const isStanding = (place: Place, leastMs: number, radii: Radii, settings: MotionSettings): boolean =>
  place.fixes > 1 &&
  place.lastAtMs - place.firstAtMs >= toStandMs(toExtentM(place), leastMs, radii, settings);

/** The place that holds the newest `fixes` of a track. */
export const placeOfNewest = (track: Track, fixes: number): Place => {
  const last = countFixes(track) - 1;
  let place = toPlace(fixOf(track, last));
  for (let i = last - 1; i > last - fixes; i--) place = withFixInPlace(place, fixOf(track, i));
  return place;
};

/**
 * The newest fixes of a track that are within `radii.placeM`: all of them, and the largest set that shows
 * that the unit stands; null where none does.
 */
export const findPlaces = (
  track: Track,
  leastMs: number,
  radii: Radii,
  settings: MotionSettings,
): { widest: Place; standing: Place | null } => {
  const last = countFixes(track) - 1;
  let widest = toPlace(fixOf(track, last));
  let standing: Place | null = null;
  for (let i = last - 1; i >= 0; i--) {
    const wider = withFixInPlace(widest, fixOf(track, i));
    if (toExtentM(wider) > radii.placeM) break;
    widest = wider;
    if (isStanding(wider, leastMs, radii, settings)) standing = wider;
  }
  return { widest, standing };
};

/** How long the newest fixes of a track have been within `withinM`, corner to corner, ms. */
export const toStillMs = (track: Track, withinM: number): number => {
  const last = countFixes(track) - 1;
  let place = toPlace(fixOf(track, last));
  for (let i = last - 1; i >= 0; i--) {
    const wider = withFixInPlace(place, fixOf(track, i));
    if (toExtentM(wider) > withinM) break;
    place = wider;
  }
  return place.lastAtMs - place.firstAtMs;
};

/** The place after one more fix; null where that is too far off to belong to it. */
export const growPlace = (place: Place, fix: Fix, withinM: number): Place | null => {
  const wider = withFixInPlace(place, fix);
  return toExtentM(wider) <= withinM ? wider : null;
};
