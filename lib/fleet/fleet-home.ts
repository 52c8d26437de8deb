import 'server-only';
import { guessPlace, isLand, toCoordinatesText } from '@/lib/gazetteer/plausible-place';
import type { LatLng } from '@/lib/geo/units';
import { DAY_MS } from '@/lib/base/time';

/** A cell becomes part of the fleet's home after trucks were in it on this many days. */
const DAYS = 3;
const MAX_CELLS = 1000;
/** One degree by one degree. */
const toCell = ({ lat, lng }: LatLng): number => Math.floor(lat + 90) * 361 + Math.floor(lng + 180);

/**
 * The land that a fleet drives: North America and the US islands, and each degree where a truck was on three days
 * (UTC). A position that becomes plausible with another sign or swapped is never learned.
 */
export class FleetHome {
  readonly #daysByCell = new Map<number, number[]>();

  #contains(at: LatLng): boolean {
    return isLand(at) || (this.#daysByCell.get(toCell(at))?.length ?? 0) >= DAYS;
  }

  /** Records a position that a unit reported at `nowMs` (Unix ms). */
  learn(at: LatLng, nowMs: number): void {
    if (isLand(at) || guessPlace(at) !== null) return;
    const cell = toCell(at);
    const days = this.#daysByCell.get(cell) ?? [];
    const day = Math.floor(nowMs / DAY_MS);
    if (days.length >= DAYS || days.includes(day)) return;
    if (!this.#daysByCell.has(cell) && this.#daysByCell.size >= MAX_CELLS) return;
    this.#daysByCell.set(cell, [...days, day]);
  }

  /** Why a position is implausible for this fleet, as text with a guess if there is one; null: it is plausible. */
  judge(at: LatLng): string | null {
    if (isLand(at)) return null;
    const guess = guessPlace(at);
    if (guess !== null) return `It is listed at ${toCoordinatesText(at)}. ${guess}`;
    if (this.#contains(at)) return null;
    return `It is listed at ${toCoordinatesText(at)}, outside North America and the islands of the United States, where no truck of this fleet was on three days.`;
  }
}
