import type { LatLng } from '@/lib/geo/units';

/** Land where a US carrier drives: boxes of latitude from, to, longitude from, to, in degrees. */
const LAND: readonly (readonly [number, number, number, number])[] = [
  // The area that the boxes from 25 to 50 share comes first: most trucks need one comparison.
  [25, 50, -116, -79.8],
  [14.4, 18, -102, -87],
  [18, 23, -107, -86.5],
  [23, 25, -113, -97],
  [24.4, 25, -82.3, -80],
  [25, 30, -116, -79.8],
  [30, 35, -121, -75.3],
  [35, 40, -124.6, -73.7],
  [40, 43, -125, -66],
  [43, 50, -129, -52.5],
  [50, 60, -136, -55],
  [60, 72, -141, -61],
  // Alaska with the Aleutians on both sides of 180°, Hawaii, Puerto Rico and the US Virgin Islands.
  [51, 71.6, -180, -129.9],
  [51, 53.5, 172, 180.01],
  [18.8, 22.4, -160.4, -154.7],
  [17.6, 18.7, -67.5, -64.4],
  // Guam with the Northern Mariana Islands, and American Samoa.
  [13, 20.7, 144.4, 146.3],
  [-14.7, -10.9, -171.3, -168],
];
/** About a mile. */
const NULL_ISLAND_DEG = 0.0145;

/** Whether a position is where a US carrier drives, by rough boxes. */
export const isLand = ({ lat, lng }: LatLng): boolean => {
  for (let i = 0; i < LAND.length; i++) {
    const box = LAND[i]!;
    if (lat >= box[0] && lat < box[1] && lng >= box[2] && lng < box[3]) return true;
  }
  return false;
};

export const toCoordinatesText = ({ lat, lng }: LatLng): string => `${lat.toFixed(2)}, ${lng.toFixed(2)}`;

const toGuesses = ({ lat, lng }: LatLng): readonly (readonly [LatLng, string])[] => [
  [{ lat, lng: -lng }, 'Its longitude seems to have lost its sign'],
  [{ lat: -lat, lng }, 'Its latitude seems to have the wrong sign'],
  [{ lat: -lat, lng: -lng }, 'Both coordinates seem to have the wrong sign'],
  [{ lat: lng, lng: lat }, 'Its latitude and longitude seem to be swapped'],
  [{ lat: lng, lng: -lat }, 'Its coordinates seem to be swapped, and the longitude to have lost its sign'],
  [{ lat: -lng, lng: lat }, 'Its coordinates seem to be swapped, and the latitude to have the wrong sign'],
];

/** A guess at what is wrong with a position outside of that land, as a sentence; null: there is none. */
export const guessPlace = (at: LatLng): string | null => {
  if (Math.hypot(at.lat, at.lng) < NULL_ISLAND_DEG)
    return 'That is within a mile of 0, 0, which a receiver reports before it has a fix.';
  if (at.lat === 0 || at.lng === 0)
    return `Its ${at.lat === 0 ? 'latitude' : 'longitude'} is exactly 0, as where a value is missing.`;
  const found = toGuesses(at).find(([other]) => isLand(other));
  return found ? `${found[1]}: that would be ${toCoordinatesText(found[0])}.` : null;
};
