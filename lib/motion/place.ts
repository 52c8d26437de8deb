import type { LatLng } from '@/lib/geo/units';
import type { Radii } from './accuracy';
import { METERS_PER_DEGREE, RADIANS_PER_DEGREE, distanceM, toKph, nearestLng } from '@/lib/geo/geodesy';
import type { MotionSettings } from './settings';
import { countFixes, fixOf, type Fix, type Track } from './track';

/** The bounding box of a unit since its first fix there, and the mean of all fixes of the place, held or not. */
export interface Place extends LatLng {
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
  lat,
  lng,
  south: lat,
  north: lat,
  west: lng,
  east: lng,
  firstAtMs: fixAtMs,
  lastAtMs: fixAtMs,
  fixes: 1,
});

/** The place with one more fix, which may be older or newer than all others. */
export const withFixInPlace = (place: Place, { lat, lng, fixAtMs }: Fix): Place => {
  const east = nearestLng(lng, place.west);
  const fixes = place.fixes + 1;
  return {
    lat: place.lat + (lat - place.lat) / fixes,
    lng: place.lng + (east - place.lng) / fixes,
    south: Math.min(place.south, lat),
    north: Math.max(place.north, lat),
    west: Math.min(place.west, east),
    east: Math.max(place.east, east),
    firstAtMs: Math.min(place.firstAtMs, fixAtMs),
    lastAtMs: Math.max(place.lastAtMs, fixAtMs),
    fixes,
  };
};

/** The place that holds all fixes of two. */
export const joinPlaces = (a: Place, b: Place): Place => {
  const apart = nearestLng(b.west, a.west) - b.west;
  const fixes = a.fixes + b.fixes;
  return {
    lat: a.lat + ((b.lat - a.lat) * b.fixes) / fixes,
    lng: a.lng + ((b.lng + apart - a.lng) * b.fixes) / fixes,
    south: Math.min(a.south, b.south),
    north: Math.max(a.north, b.north),
    west: Math.min(a.west, b.west + apart),
    east: Math.max(a.east, b.east + apart),
    firstAtMs: Math.min(a.firstAtMs, b.firstAtMs),
    lastAtMs: Math.max(a.lastAtMs, b.lastAtMs),
    fixes,
  };
};

export const isInside = ({ south, north, west, east }: Place, { lat, lng }: LatLng): boolean => {
  const near = nearestLng(lng, west);
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

/** Whether two fixes of a place may be `jitterM` apart. */
export const isWide = ({ south, north, west, east }: Place, { jitterM }: Radii): boolean => {
  // A degree of longitude is not longer than one of latitude; without its cosine this costs less than the extent.
  const [high, wide] = [north - south, east - west];
  return high * high + wide * wide >= (jitterM / METERS_PER_DEGREE) ** 2;
};

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

/** Nearer than this is the same spot for any receiver, and what is further off than the second leads to it. */
const SPOT_M = 10;
const APPROACH_M = 20;
/** The same for a receiver that wanders, in mean distances between neighboring fixes of the place. */
const SPOT_STEPS = 1.5;
const APPROACH_STEPS = 3;

const toApproachM = (meanStepM: number): number => Math.max(APPROACH_M, APPROACH_STEPS * meanStepM);

/**
 * The newest fixes of a track that are within `radii.placeM`: all of them, and the largest set that shows
 * that the unit stands, without the approach to it; null where none does.
 */
export const findPlaces = (
  track: Track,
  sinceMs: number,
  leastMs: number,
  radii: Radii,
  settings: MotionSettings,
): { widest: Place; standing: Place | null } => {
  const last = countFixes(track) - 1;
  let widest = toPlace(fixOf(track, last));
  let standing: Place | null = null;
  /** The spot where the unit stands, the oldest time at which it was there, and its place since then. */
  let spot = { fix: fixOf(track, last), sinceMs: 0, place: widest };
  let isBefore = false;
  let [pathM, meanM] = [0, 0];
  for (let i = last - 1; i >= 0; i--) {
    const fix = fixOf(track, i);
    const wider = withFixInPlace(widest, fix);
    if (fix.fixAtMs < sinceMs || toExtentM(wider) > radii.placeM) break;
    widest = wider;
    pathM += distanceM(fix, fixOf(track, i + 1));
    const apartM = standing === null ? 0 : distanceM(fix, spot.fix);
    const isSpot = apartM < Math.max(SPOT_M, SPOT_STEPS * meanM);
    // One that was there before has not come on this way: its receiver jumped.
    if (isSpot) isBefore = false;
    else if (!isBefore && apartM >= toApproachM(meanM)) {
      isBefore =
        toKph(apartM, spot.sinceMs - fix.fixAtMs) >= settings.movingKph &&
        isStanding(spot.place, leastMs, radii, settings);
      if (!isBefore) spot = { fix, sinceMs: fix.fixAtMs, place: wider };
    }
    const stands = isStanding(wider, leastMs, radii, settings);
    if (stands && standing === null) spot.fix = fix;
    if (isSpot) [spot.sinceMs, spot.place] = [fix.fixAtMs, wider];
    if (!stands) continue;
    standing = wider;
    if (!isBefore) meanM = pathM / (last - i);
  }
  return { widest, standing: isBefore ? spot.place : standing };
};

/** The place of the newest three fixes, without the first of them where that is the approach to the others. */
export const withoutApproach = (track: Track, place: Place, { settleMs }: MotionSettings): Place => {
  const last = countFixes(track) - 1;
  if (last < 2) return place;
  const [first, second, third] = [fixOf(track, last - 2), fixOf(track, last - 1), fixOf(track, last)];
  if (distanceM(first, second) < Math.max(APPROACH_M, APPROACH_STEPS * distanceM(second, third)))
    return place;
  return third.fixAtMs - second.fixAtMs < settleMs ? place : withFixInPlace(toPlace(second), third);
};

/** A poll may give only the second of two fixes that are nearer in time. */
const POLL_MS = 30_000;

/** How long, ms, the newest fixes and one that a poll may have missed have been within `withinM`, corner to corner. */
export const toStillMs = (track: Track, withinM: number): number => {
  const last = countFixes(track) - 1;
  let place = toPlace(fixOf(track, last));
  for (let i = last - 1; i >= 0; i--) {
    const fix = fixOf(track, i);
    const wider = withFixInPlace(place, fix);
    if (toExtentM(wider) > withinM) return place.lastAtMs - Math.max(place.firstAtMs - POLL_MS, fix.fixAtMs);
    place = wider;
  }
  return place.lastAtMs - place.firstAtMs;
};

/** The place after one more fix; null where that is too far off to belong to it. */
export const growPlace = (place: Place, fix: Fix, withinM: number): Place | null => {
  const wider = withFixInPlace(place, fix);
  return toExtentM(wider) <= withinM ? wider : null;
};
