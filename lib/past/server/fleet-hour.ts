import 'server-only';
import { RECORDED_COLUMNS, MOTION_COLUMNS } from '@/lib/wire/fleet';
import type { ArchivedFleet, HourRows } from '@/lib/archive/archive-reader';
import type { UnitHistories, UnitRows } from '@/lib/fleet/recorded-units';
import { FORGOTTEN } from '@/lib/recording/recorded-fleet';
import { HOUR_MS } from '@/lib/base/time';

/** Indexes in a row, which begins with the time at which it was seen. */
const FIX = 1 + MOTION_COLUMNS.indexOf('fixAtS');
const STATUS = 1 + RECORDED_COLUMNS.indexOf('status');
const [STATE_WIDTH, SHOWN_WIDTH] = [1 + RECORDED_COLUMNS.length, 1 + MOTION_COLUMNS.length];

/** Memory of a unit's key and the count of its rows. */
const UNIT_BYTES = 64;

/** Sorts rows by seen time, then by fix time. */
const compareRows = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  a[0]! - b[0]! || a[FIX]! - b[FIX]!;

/** Puts the rows of each unit in order; nearly always they are. */
const sortRows = ({ counts, values }: UnitHistories, width: number): void => {
  for (let i = 0, from = 0; i < counts.length; from += counts[i++]! * width) {
    const end = from + counts[i]! * width;
    let at = from + width;
    while (at < end && values[at - width]! < values[at]!) at += width;
    if (at >= end) continue;
    const rows = Array.from({ length: counts[i]! }, (_, n) =>
      values.slice(from + n * width, from + (n + 1) * width),
    );
    rows.sort(compareRows).forEach((row, n) => values.set(row, from + n * width));
  }
};

/** The newest row of each unit that was seen by a moment, ms since the hour; none of a unit that was forgotten. */
const findNewest = ({ units, counts, values }: UnitHistories, width: number, atMs: number): UnitRows => {
  const found: string[] = [];
  const packed = new Int32Array(units.length * width);
  for (let i = 0, from = 0; i < units.length; from += counts[i++]! * width) {
    let [low, high] = [0, counts[i]!];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[from + middle * width]! <= atMs) low = middle + 1;
      else high = middle;
    }
    const row = from + (low - 1) * width;
    if (low === 0 || (width === STATE_WIDTH && values[row + STATUS] === FORGOTTEN)) continue;
    for (let c = 0, at = found.length * width; c < width; c++) packed[at + c] = values[row + c]!;
    found.push(units[i]!);
  }
  return { units: found, values: packed.subarray(0, found.length * width) };
};

/** An hour of a fleet in memory, in which each moment is found without a query. */
export class FleetHour {
  readonly hourMs: number;
  /** Up to where it is complete, Unix ms. */
  readonly untilMs: number;
  /** The stamp of its recording, as readHourStamp has it. */
  readonly stamp: string;
  readonly bytes: number;
  readonly #hour: HourRows;
  readonly #polledMs: number = Infinity;

  /** Takes the rows over, and sorts them. */
  constructor(
    { hourMs, untilMs, stamp }: { hourMs: number; untilMs: number; stamp: string },
    hour: HourRows,
  ) {
    const { states, shown } = hour;
    this.hourMs = hourMs;
    this.untilMs = untilMs;
    this.stamp = stamp;
    this.#hour = hour;
    this.bytes =
      states.values.byteLength +
      shown.values.byteLength +
      UNIT_BYTES * (states.units.length + shown.units.length);
    sortRows(states, STATE_WIDTH);
    sortRows(shown, SHOWN_WIDTH);
    for (let at = 0; at < states.values.length; at += STATE_WIDTH)
      this.#polledMs = Math.min(this.#polledMs, states.values[at]!);
  }

  /** Whether the hour has all that was recorded by a moment, of those after it by its own end. */
  isUntil(atMs: number): boolean {
    return Math.min(atMs, this.hourMs + HOUR_MS - 1) <= this.untilMs;
  }

  /** Whether its first poll came after a moment; false where it was not read, as one that is too large. */
  isBefore(atMs: number): boolean {
    return atMs - this.hourMs < this.#polledMs && this.#polledMs < HOUR_MS;
  }

  /** The fleet at a moment of the hour, or at its end; null before its first poll, and where it is not complete. */
  at(atMs: number): ArchivedFleet | null {
    const { hourMs } = this;
    const sinceMs = Math.min(atMs - hourMs, HOUR_MS - 1);
    if (sinceMs < this.#polledMs || !this.isUntil(atMs)) return null;
    const { states, shown } = this.#hour;
    return {
      hourMs,
      states: findNewest(states, STATE_WIDTH, sinceMs),
      shown: findNewest(shown, SHOWN_WIDTH, sinceMs),
    };
  }
}
