import type { TailBox } from '@/lib/past/queries';
import type { Tail } from '@/lib/past/schema';
import { toMercatorX, toMercatorY } from '@/lib/geo/projection';
import { DEGREES_PER_E5 } from '@/lib/geo/units';
import type { Fleet } from '@/lib/wire/fleet';

/** Between two fixes further apart than this nothing is known: the line is dashed there. */
const GAP_S = 10 * 60;
/** The least distance of a unit that moves, as a share of the world's width: about 20 m. */
const APART = 5e-7;

interface GrowingTail {
  fixS: number[];
  /** Web Mercator 0…1. */
  x: number[];
  y: number[];
}

/** Appends a newer position; of a stop, the first and the last one are kept. */
const append = ({ fixS, x, y }: GrowingTail, atS: number, latE5: number, lngE5: number): void => {
  const last = fixS.length - 1;
  const [atX, atY] = [toMercatorX(lngE5 * DEGREES_PER_E5), toMercatorY(latE5 * DEGREES_PER_E5)];
  const isAt = (i: number): boolean => Math.abs(atX - x[i]!) < APART && Math.abs(atY - y[i]!) < APART;
  if (last > 0 && isAt(last) && isAt(last - 1)) {
    fixS[last] = atS;
    return;
  }
  fixS.push(atS);
  x.push(atX);
  y.push(atY);
};

/** Where the units of a fleet went, which grows with each version of it. */
export class LiveTails {
  readonly #spanS: number;
  #tails = new Map<string, GrowingTail>();
  #fleet: Fleet | null = null;
  #boxE5: number[] = [];

  constructor(minutes: number) {
    this.#spanS = minutes * 60;
  }

  /** Replaces all tails by those that were read for a box; only units in it grow. Null: none do. */
  take(tails: ReadonlyMap<string, Tail>, box: TailBox | null): void {
    this.#boxE5 = box?.map((degrees) => degrees / DEGREES_PER_E5) ?? [];
    this.#tails = new Map();
    for (const [key, { fixS, latE5, lngE5 }] of tails) {
      const tail: GrowingTail = { fixS: [], x: [], y: [] };
      fixS.forEach((atS, i) => append(tail, atS, latE5[i]!, lngE5[i]!));
      this.#tails.set(key, tail);
    }
  }

  /** Takes the next version of the fleet. A tail ends before the fix that its unit glides to, and never runs ahead. */
  grow(fleet: Fleet): void {
    const before = this.#fleet;
    this.#fleet = fleet;
    if (before === null || before === fleet) return;
    const { fixAtS, latE5, lngE5 } = before.columns;
    const [south, west, north, east] = this.#boxE5 as [number, number, number, number];
    const turnE5 = 360 / DEGREES_PER_E5;
    for (let row = 0; row < before.rows; row++) {
      const [lat, lng] = [latE5[row]!, lngE5[row]!];
      // Degrees east of the west edge: the box may lie across the date line.
      const isAcross = (((lng - west) % turnE5) + turnE5) % turnE5 <= east - west;
      if (!(lat >= south && lat <= north && isAcross)) continue;
      const key = before.identities[row]?.key;
      if (key === undefined) continue;
      const tail = this.#tails.get(key) ?? { fixS: [], x: [], y: [] };
      if (fixAtS[row]! <= (tail.fixS.at(-1) ?? 0)) continue;
      append(tail, fixAtS[row]!, lat, lng);
      this.#tails.set(key, tail);
    }
    this.#forget(fleet.feed.fetchedAtMs ?? 0);
  }

  #forget(nowMs: number): void {
    const fromS = nowMs / 1000 - this.#spanS;
    for (const [key, { fixS, x, y }] of this.#tails) {
      const old = fixS.findIndex((atS) => atS >= fromS);
      if (old === -1) this.#tails.delete(key);
      else if (old > 0) for (const column of [fixS, x, y]) column.splice(0, old);
    }
  }

  /** Calls back for each line of the rows that are shown, except the selected one, with how old it is: from 0, now, to 1. */
  forEachLine(
    { visible, selectedRow }: { visible: Uint8Array | null; selectedRow: number | null },
    onLine: (fromX: number, fromY: number, toX: number, toY: number, age: number, isGap: boolean) => void,
  ): void {
    const fleet = this.#fleet;
    if (fleet === null) return;
    const nowS = (fleet.feed.fetchedAtMs ?? 0) / 1000;
    for (let row = 0; row < fleet.rows; row++) {
      if (row === selectedRow || visible?.[row] === 0) continue;
      const tail = this.#tails.get(fleet.identities[row]?.key ?? '');
      if (tail === undefined) continue;
      const { fixS, x, y } = tail;
      for (let i = 1; i < fixS.length; i++) {
        const age = Math.min(1, Math.max(0, (nowS - fixS[i]!) / this.#spanS));
        onLine(x[i - 1]!, y[i - 1]!, x[i]!, y[i]!, age, fixS[i]! - fixS[i - 1]! > GAP_S);
      }
    }
  }
}
