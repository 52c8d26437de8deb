import type { LatLng } from '@/lib/geo/units';

/** One position of a unit at one time, Unix milliseconds. */
export interface Fix extends LatLng {
  fixAtMs: number;
}

/**
 * Recent fixes, oldest first, each as latitude, longitude and Unix ms in a flat list: objects take four times the
 * memory.
 */
export type Track = readonly number[];

const NUMBERS_A_FIX = 3;

export const NO_TRACK: Track = [];

export const countFixes = (track: Track): number => track.length / NUMBERS_A_FIX;

/** The fix at an index from 0 to the count less one. */
export const fixOf = (track: Track, index: number): Fix => {
  const at = index * NUMBERS_A_FIX;
  return { lat: track[at]!, lng: track[at + 1]!, fixAtMs: track[at + 2]! };
};

/** The position held; null before the first. */
export const newestOf = (track: Track): Fix | null =>
  track.length === 0 ? null : fixOf(track, countFixes(track) - 1);

/** The fixes from an index on, with one more. */
export const withNewest = (track: Track, from: number, { lat, lng, fixAtMs }: Fix): Track => {
  // Neither spread nor push: each leaves capacity for twenty more numbers in each of a hundred thousand lists.
  if (from === 0) return track.concat([lat, lng, fixAtMs]);
  // One copy of the right length, because this runs for each fix of a report.
  const next = track.slice((from - 1) * NUMBERS_A_FIX);
  const last = next.length - NUMBERS_A_FIX;
  for (let at = 0; at < last; at++) next[at] = next[at + NUMBERS_A_FIX]!;
  next[last] = lat;
  next[last + 1] = lng;
  next[last + 2] = fixAtMs;
  return next;
};

/** The fixes of a track, each dated `stepMs` later. */
export const shiftTrack = (track: Track, stepMs: number): Track =>
  track.map((value, at) => (at % NUMBERS_A_FIX === NUMBERS_A_FIX - 1 ? value + stepMs : value));

export const toFixes = (track: Track): Fix[] =>
  Array.from({ length: countFixes(track) }, (_, index) => fixOf(track, index));
