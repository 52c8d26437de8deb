import { NO_POSITION, type Fleet } from '@/lib/wire/fleet';
import { Glide, glideMs } from './glide';
import { mercatorXOfE5, mercatorYOfE5 } from '@/lib/geo/projection';

/** A version's epoch, the part before the dot: while it lasts a row keeps its unit. */
export const toEpoch = (fleet: Fleet): string => `${fleet.usdot}/${fleet.version.split('.')[0]}`;

/** Rows that are looked at in one go: about two milliseconds. */
const ROWS_AT_ONCE = 20_000;

/** Where the units of a fleet are drawn; projects only positions that a poll changed. */
export class UnitPlaces {
  readonly glide = new Glide();
  #epoch = '';
  #rows = 0;
  #latE5 = new Int32Array(0);
  #lngE5 = new Int32Array(0);
  #fixAtS = new Int32Array(0);
  /** What is being taken, and the first row that is not yet. */
  #fleet: Fleet | null = null;
  #pace = 1;
  #nextRow = 0;

  /**
   * Takes a fleet's newest places; units glide to them at a `pace` (see glideMs). Returns whether the rows mean
   * other units than before.
   *
   * A poll of a large fleet is only begun here and taken by `takeMore`, piece by piece: a
   * glide that begins a frame later cannot be seen.
   */
  update(fleet: Fleet, nowMs: number, pace: number): boolean {
    const isOther = toEpoch(fleet) !== this.#epoch;
    if (isOther) this.#forget(fleet);
    this.#reserve(fleet.rows);
    this.glide.advance(nowMs);
    [this.#fleet, this.#pace, this.#nextRow] = [fleet, pace, 0];
    if (isOther || fleet.rows <= ROWS_AT_ONCE) this.#take(fleet.rows, nowMs);
    return isOther;
  }

  takeMore(nowMs: number): void {
    this.#take(ROWS_AT_ONCE, nowMs);
  }

  /** Whether there are rows yet to take. */
  get isTaking(): boolean {
    return this.#fleet !== null;
  }

  #take(count: number, nowMs: number): void {
    if (!this.#fleet) return;
    const { rows, columns } = this.#fleet;
    const { latE5, lngE5, fixAtS } = columns;
    const end = Math.min(rows, this.#nextRow + count);
    for (let row = this.#nextRow; row < end; row++) {
      // Plain locals: before this loop is compiled, a tuple a row is megabytes that have to be collected.
      const lat = latE5[row]!;
      const lng = lngE5[row]!;
      const fix = fixAtS[row]!;
      if (lat !== this.#latE5[row] || lng !== this.#lngE5[row]) {
        const lastsMs = glideMs(this.#fixAtS[row]!, fix, this.#pace);
        if (lat === NO_POSITION) this.glide.moveTo(row, NaN, NaN, nowMs, 0);
        else this.glide.moveTo(row, mercatorXOfE5(lng), mercatorYOfE5(lat), nowMs, lastsMs);
        this.#latE5[row] = lat;
        this.#lngE5[row] = lng;
      }
      this.#fixAtS[row] = fix;
    }
    this.#nextRow = end;
    if (end === rows) this.#fleet = null;
  }

  #forget(fleet: Fleet): void {
    this.#epoch = toEpoch(fleet);
    for (let row = 0; row < this.#rows; row++) this.glide.moveTo(row, NaN, NaN, 0, 0);
    this.#latE5.fill(NO_POSITION);
    this.#fixAtS.fill(0);
  }

  #reserve(rows: number): void {
    this.#rows = Math.max(this.#rows, rows);
    if (rows <= this.#latE5.length) return;
    const room = Math.ceil(rows * 1.25);
    const grow = (held: Int32Array, fill: number): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(room).fill(fill);
      grown.set(held);
      return grown;
    };
    this.#latE5 = grow(this.#latE5, NO_POSITION);
    this.#lngE5 = grow(this.#lngE5, NO_POSITION);
    this.#fixAtS = grow(this.#fixAtS, 0);
    this.glide.reserve(room);
  }
}
