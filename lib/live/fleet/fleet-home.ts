import 'server-only';
import type { LatLng } from '@/lib/wire/units';

const DAY_MS = 86_400_000;
/**
 * Land where a US carrier drives: boxes of latitude from, to, longitude from, to about North America, in
 * degrees.
 */
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
  // Alaska, Hawaii, Puerto Rico and the US Virgin Islands.
  [51, 71.6, -180, -129.9],
  [18.8, 22.4, -160.4, -154.7],
  [17.6, 18.7, -67.5, -64.4],
];
/** A cell becomes part of the fleet's home after trucks were in it on this many days. */
const DAYS = 3;
const MAX_CELLS = 1000;
/** About a mile. */
const NULL_ISLAND_DEG = 0.0145;

const isLand = ({ lat, lng }: LatLng): boolean => {
  for (let i = 0; i < LAND.length; i++) {
    const box = LAND[i]!;
    if (lat >= box[0] && lat < box[1] && lng >= box[2] && lng < box[3]) return true;
  }
  return false;
};

/** One degree by one degree. */
const toCell = ({ lat, lng }: LatLng): number => Math.floor(lat + 90) * 361 + Math.floor(lng + 180);

const toCoordinatesText = ({ lat, lng }: LatLng): string => `${lat.toFixed(2)}, ${lng.toFixed(2)}`;

const toGuesses = ({ lat, lng }: LatLng): readonly (readonly [LatLng, string])[] => [
  [{ lat, lng: -lng }, 'Its longitude seems to have lost its sign'],
  [{ lat: -lat, lng }, 'Its latitude seems to have the wrong sign'],
  [{ lat: -lat, lng: -lng }, 'Both coordinates seem to have the wrong sign'],
  [{ lat: lng, lng: lat }, 'Its latitude and longitude seem to be swapped'],
  [{ lat: lng, lng: -lat }, 'Its coordinates seem to be swapped, and the longitude to have lost its sign'],
  [{ lat: -lng, lng: lat }, 'Its coordinates seem to be swapped, and the latitude to have the wrong sign'],
];

/**
 * The land that a fleet drives: North America at first, and each degree outside it where a truck was seen on
 * three days (UTC). A position that becomes plausible with a sign changed or its coordinates swapped is never
 * learned.
 */
export class FleetHome {
  readonly #daysByCell = new Map<number, number[]>();

  #contains(at: LatLng): boolean {
    return isLand(at) || (this.#daysByCell.get(toCell(at))?.length ?? 0) >= DAYS;
  }

  #guess(at: LatLng): string | null {
    if (Math.hypot(at.lat, at.lng) < NULL_ISLAND_DEG)
      return 'That is within a mile of 0, 0, which a receiver reports before it has a fix.';
    if (at.lat === 0 || at.lng === 0)
      return `Its ${at.lat === 0 ? 'latitude' : 'longitude'} is exactly 0, as where a value is missing.`;
    const found = toGuesses(at).find(([other]) => isLand(other));
    return found ? `${found[1]}: that would be ${toCoordinatesText(found[0])}.` : null;
  }

  /** Records a position that a unit reported at `nowMs` (Unix ms). */
  learn(at: LatLng, nowMs: number): void {
    if (isLand(at) || this.#guess(at) !== null) return;
    const cell = toCell(at);
    const days = this.#daysByCell.get(cell) ?? [];
    const day = Math.floor(nowMs / DAY_MS);
    if (days.length >= DAYS || days.includes(day)) return;
    if (!this.#daysByCell.has(cell) && this.#daysByCell.size >= MAX_CELLS) return;
    this.#daysByCell.set(cell, [...days, day]);
  }

  /**
   * Why a position is implausible for this fleet, as text, with a guess where there is one; null where it is
   * plausible.
   */
  judge(at: LatLng): string | null {
    if (isLand(at)) return null;
    const guess = this.#guess(at);
    if (guess !== null) return `It is listed at ${toCoordinatesText(at)}. ${guess}`;
    if (this.#contains(at)) return null;
    return `It is listed at ${toCoordinatesText(at)}, outside North America, where no truck of this fleet was on three days.`;
  }
}
