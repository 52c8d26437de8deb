import type { Drive, DrivenCell, Way } from './drives';
import type { Unpacked } from './packed';

/** A mean follows its newest drive by at least one part in so many. */
const MOST_COUNTED = 20;

/** Cells of all ways together: about 5 MB. The ways to the stop that was reached the longest time ago go first. */
const MOST_CELLS = 300_000;

/**
 * What drives to one stop had left, by the cells that they passed, which are in their order: the mean of meters, and of
 * the logarithm of driving times in ms.
 */
interface LeftTo {
  cells: Float64Array;
  meters: Float32Array;
  logMs: Float32Array;
  drives: Uint8Array;
}

/** What is left from one cell. */
export interface LeftFrom extends Way {
  cell: number;
}

const NOTHING: LeftTo = {
  cells: new Float64Array(0),
  meters: new Float32Array(0),
  logMs: new Float32Array(0),
  drives: new Uint8Array(0),
};

/** The index of a cell, or -1. */
const find = ({ cells }: LeftTo, cell: number): number => {
  let [low, high] = [0, cells.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (cells[middle] === cell) return middle;
    if (cells[middle]! < cell) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
};

/** Adds room for cells that are not known yet. */
const withCells = (known: LeftTo, cells: Iterable<number>): LeftTo => {
  const all = Float64Array.from(new Set([...known.cells, ...cells])).sort();
  if (all.length === known.cells.length) return known;
  const { length } = all;
  const left: LeftTo = {
    cells: all,
    meters: new Float32Array(length),
    logMs: new Float32Array(length),
    drives: new Uint8Array(length),
  };
  known.cells.forEach((cell, i) => {
    const at = find(left, cell);
    left.meters[at] = known.meters[i]!;
    left.logMs[at] = known.logMs[i]!;
    left.drives[at] = known.drives[i]!;
  });
  return left;
};

const concat = (parts: readonly LeftTo[], size: number) => {
  const all: LeftTo = {
    cells: new Float64Array(size),
    meters: new Float32Array(size),
    logMs: new Float32Array(size),
    drives: new Uint8Array(size),
  };
  let at = 0;
  for (const part of parts) {
    for (const name of Object.keys(all) as (keyof LeftTo)[]) all[name].set(part[name], at);
    at += part.cells.length;
  }
  return all;
};

/** What trucks had left to drive to a stop, by the cells that they passed on their way there. */
export class UsualWays {
  /** By stop, in the order of the last arrival. */
  readonly #byStop = new Map<string, LeftTo>();
  readonly #most: number;
  #cells = 0;

  constructor(most = MOST_CELLS) {
    this.#most = most;
  }

  /** The ways of a packed buffer, which stays theirs. @throws if it has none */
  static unpack({ read }: Unpacked, stops: readonly string[]): UsualWays {
    const ways = new UsualWays();
    const ends = read('ways.ends', 'Uint32Array', stops.length);
    const size = ends.at(-1) ?? 0;
    const all = {
      cells: read('ways.cells', 'Float64Array', size),
      meters: read('ways.meters', 'Float32Array', size),
      logMs: read('ways.logMs', 'Float32Array', size),
      drives: read('ways.drives', 'Uint8Array', size),
    };
    stops.forEach((stop, i) => {
      const [from, to] = [ends[i - 1] ?? 0, ends[i]!];
      ways.#byStop.set(stop, {
        cells: all.cells.subarray(from, to),
        meters: all.meters.subarray(from, to),
        logMs: all.logMs.subarray(from, to),
        drives: all.drives.subarray(from, to),
      });
    });
    ways.#cells = size;
    return ways;
  }

  /** The stops, and what is known of each of them in the same order. */
  pack() {
    const parts = [...this.#byStop.values()];
    const all = concat(parts, this.#cells);
    let end = 0;
    const ends = Uint32Array.from(parts, ({ cells }) => (end += cells.length));
    const arrays = {
      'ways.ends': ends,
      'ways.cells': all.cells,
      'ways.meters': all.meters,
      'ways.logMs': all.logMs,
      'ways.drives': all.drives,
    };
    return { stops: [...this.#byStop.keys()], arrays };
  }

  /** Learns from the drive that ended at a stop. */
  learn(
    stop: string,
    { cells }: Pick<Drive, 'cells'>,
    factorAt: (cell: DrivenCell, way: Way) => number = () => 1,
  ): void {
    const end = cells.at(-1);
    if (!end) return;
    const left = cells.map((passed) => {
      const way = { distM: end.atM - passed.atM, driveMs: Math.max(1000, end.atMs - passed.atMs) };
      return { cell: passed.cell, distM: way.distM, driveMs: way.driveMs / factorAt(passed, way) };
    });
    this.add(stop, left);
  }

  /** Adds what is left from cells to a stop. */
  add(stop: string, ways: readonly LeftFrom[]): void {
    const known = this.#byStop.get(stop) ?? NOTHING;
    const left = withCells(
      known,
      ways.map(({ cell }) => cell),
    );
    this.#byStop.delete(stop);
    this.#byStop.set(stop, left);
    for (const { cell, distM, driveMs } of ways) {
      const at = find(left, cell);
      const drives = Math.min(MOST_COUNTED, left.drives[at]! + 1);
      left.drives[at] = drives;
      left.meters[at]! += (distM - left.meters[at]!) / drives;
      left.logMs[at]! += (Math.log(driveMs) - left.logMs[at]!) / drives;
    }
    this.#cells += left.cells.length - known.cells.length;
    for (const [oldest, { cells: forgotten }] of this.#byStop) {
      if (this.#cells <= this.#most || oldest === stop) return;
      this.#byStop.delete(oldest);
      this.#cells -= forgotten.length;
    }
  }

  /** What is usually left from a cell to a stop, null where they are not known. */
  leftTo(stop: string, cell: number): Way | null {
    const left = this.#byStop.get(stop);
    const at = left ? find(left, cell) : -1;
    return at < 0 ? null : { distM: left!.meters[at]!, driveMs: Math.exp(left!.logMs[at]!) };
  }

  knows(stop: string): boolean {
    return this.#byStop.has(stop);
  }
}
