import { distanceM } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { DAY_MS } from '@/lib/base/time';
import { createNodeQueue } from '@/lib/roads/road-graph';
import { centerOf, findNearCell, hashOf, toHour } from './cells';
import type { Drive, DrivenCell, Way } from './drives';
import { HourFactors } from './hour-factors';
import type { Unpacked } from './packed';
import type { LeftFrom } from './usual-ways';

/** A mean follows its newest value by at least one part in so many, so that a changed road is learned again. */
const MOST_COUNTED = 30;

/** Roads of one fleet, in directed steps from cell to cell: 500,000 take about 20 MB. */
const MOST_STEPS = 500_000;

/** A search ends without a result after so many cells: about 10 ms. */
const MOST_SEARCHED = 15_000;

/** Meters a millisecond (32 km/h) and the drives that it counts for, until drives say more: one lucky drive is no fast road. */
const USUAL_M_PER_MS = 9 / 1000;
const USUAL_COUNTS = 2;

/** What is left is expected to be driven at 90 km/h, which guides the search to its goal: a way that is quicker by a little may be missed. */
const GUIDE_M_PER_MS = 90 / 3600;

/** A step that was driven less often has no usual time yet. */
const FEW_DRIVES = 3;

/** A mean that follows its newest values. */
const follow = (mean: number, value: number, count: number): number =>
  mean + (value - mean) / Math.min(count, MOST_COUNTED);

/** A step from one cell to the next as its drives were, in means that follow the newest ones. */
interface Step {
  from: number;
  to: number;
  meters: number;
  ms: number;
  drives: number;
  /** The day of its last drive, counted from 1970. */
  day: number;
}

const NONE = -1;

/** The steps of a graph in parallel arrays: 28 bytes for each. */
const makeColumns = (room: number) => ({
  from: new Float64Array(room),
  to: new Float64Array(room),
  meters: new Float32Array(room),
  ms: new Float32Array(room),
  drives: new Uint16Array(room),
  day: new Uint16Array(room),
});

type Columns = ReturnType<typeof makeColumns>;
const NAMES = Object.keys(makeColumns(0)) as (keyof Columns)[];

/** What a search has reached, by slots of the index; searches of one thread share it. */
class Reached {
  driveMs = new Float64Array(0);
  distM = new Float32Array(0);
  /** The step by which it was reached. */
  by = new Int32Array(0);
  #marks = new Uint32Array(0);
  #search = 0;

  begin(slots: number): void {
    this.#search += 1;
    if (this.#marks.length >= slots) return;
    this.driveMs = new Float64Array(slots);
    this.distM = new Float32Array(slots);
    this.by = new Int32Array(slots);
    this.#marks = new Uint32Array(slots);
  }

  /** Whether a slot is reached for the first time, or sooner than before; then it is noted. */
  isSooner(slot: number, driveMs: number, distM: number, by: number): boolean {
    if (this.#marks[slot] === this.#search && this.driveMs[slot]! <= driveMs) return false;
    this.#marks[slot] = this.#search;
    this.driveMs[slot] = driveMs;
    this.distM[slot] = distM;
    this.by[slot] = by;
    return true;
  }
}

const reached = new Reached();

/** How many cells may still be searched; a search takes what it needs, or ends without a result where that is too little. */
export interface Searching {
  cells: number;
  isCut?: boolean;
}

/** A way along roads, with what is left from each of its cells. */
export interface RoadWay extends Way {
  cells: LeftFrom[];
}

/**
 * The roads that the drives of one fleet show: a directed graph of cells of 500 m. It holds 500,000 steps at most;
 * beyond that, those that were not driven for the longest time are forgotten.
 */
export class LearnedRoads {
  #steps: Columns;
  #size = 0;
  /** The first step that leaves each cell, in slots found by the hash of the cell; at most half of them are taken. */
  #firsts = new Int32Array(0);
  /** The next step that leaves the same cell. */
  #nexts = new Int32Array(0);
  readonly #most: number;
  /** How much slower or faster roads are by the hour. */
  readonly hours: HourFactors;

  constructor({ most = MOST_STEPS, steps = makeColumns(1024), size = 0, hours = new HourFactors() } = {}) {
    this.#most = most;
    this.hours = hours;
    this.#steps = steps;
    this.#size = size;
    this.#index();
  }

  /** The roads of a packed buffer, which stays theirs. @throws if it has none */
  static unpack({ read }: Unpacked): LearnedRoads {
    const size = read('roads.from', 'Float64Array').length;
    const steps: Columns = {
      from: read('roads.from', 'Float64Array', size),
      to: read('roads.to', 'Float64Array', size),
      meters: read('roads.meters', 'Float32Array', size),
      ms: read('roads.ms', 'Float32Array', size),
      drives: read('roads.drives', 'Uint16Array', size),
      day: read('roads.day', 'Uint16Array', size),
    } as Columns;
    return new LearnedRoads({ steps, size, hours: new HourFactors(read('hours', 'Float64Array', 96)) });
  }

  pack() {
    const arrays = NAMES.map((name) => [`roads.${name}`, this.#steps[name].subarray(0, this.#size)]);
    return {
      ...(Object.fromEntries(arrays) as Record<string, Columns[keyof Columns]>),
      hours: this.hours.pack(),
    };
  }

  get size(): number {
    return this.#size;
  }

  /** The slot of a cell: its first step is there, or none. */
  #slotOf(cell: number): number {
    const { from } = this.#steps;
    const [firsts, mask] = [this.#firsts, this.#firsts.length - 1];
    let slot = hashOf(cell) & mask;
    while (firsts[slot]! !== NONE && from[firsts[slot]!] !== cell) slot = (slot + 1) & mask;
    return slot;
  }

  #firstOf(cell: number): number {
    return this.#firsts[this.#slotOf(cell)]!;
  }

  #index(): void {
    const room = this.#steps.to.length;
    let slots = 16;
    while (slots < 2 * room) slots *= 2;
    this.#firsts = new Int32Array(slots).fill(NONE);
    this.#nexts = new Int32Array(room).fill(NONE);
    for (let i = 0; i < this.#size; i += 1) this.#link(i);
  }

  #link(i: number): void {
    const slot = this.#slotOf(this.#steps.from[i]!);
    this.#nexts[i] = this.#firsts[slot]!;
    this.#firsts[slot] = i;
  }

  #resize(room: number, kept?: Uint32Array): void {
    const steps = makeColumns(room);
    for (const name of NAMES)
      if (kept) kept.forEach((i, at) => (steps[name][at] = this.#steps[name][i]!));
      else steps[name].set(this.#steps[name]);
    this.#steps = steps;
    this.#size = kept?.length ?? this.#size;
    this.#index();
  }

  #add(step: Step): void {
    if (this.#size === this.#steps.to.length) this.#resize(Math.max(1024, 2 * this.#size));
    const i = this.#size;
    for (const name of NAMES) this.#steps[name][i] = step[name];
    this.#size += 1;
    this.#link(i);
  }

  /** Learns from one drive. */
  learn({ cells }: Drive): void {
    for (let i = 1; i < cells.length; i += 1) {
      const [from, to] = [cells[i - 1]!, cells[i]!];
      const [meters, ms] = [to.atM - from.atM, to.atMs - from.atMs];
      this.#learnStep(from, to.cell, meters, ms);
    }
    if (this.#size > this.#most) this.#forget();
  }

  #learnStep({ cell: from, seenMs }: DrivenCell, to: number, meters: number, ms: number): void {
    const steps = this.#steps;
    const day = Math.floor(seenMs / DAY_MS);
    for (let i = this.#firstOf(from); i !== NONE; i = this.#nexts[i]!) {
      if (steps.to[i] !== to) continue;
      if (steps.drives[i]! >= FEW_DRIVES)
        this.hours.add(toHour(from, seenMs), steps.meters[i]!, ms, steps.ms[i]!);
      const drives = Math.min(MOST_COUNTED, steps.drives[i]! + 1);
      steps.meters[i] = follow(steps.meters[i]!, meters, drives);
      steps.ms[i] = follow(steps.ms[i]!, ms, drives);
      steps.drives[i] = drives;
      steps.day[i] = day;
      return;
    }
    this.#add({ from, to, meters, ms, drives: 1, day });
  }

  /** Keeps three of four steps, the ones driven last. */
  #forget(): void {
    const { day } = this.#steps;
    const newest = Uint32Array.from({ length: this.#size }, (_, i) => i).sort((a, b) => day[b]! - day[a]!);
    this.#resize(this.#steps.to.length, newest.subarray(0, Math.floor(this.#most * 0.75)));
  }

  /** The cell of a learned road within about 1.5 km of a position, nearest first; null where there is none. */
  match(point: LatLng): number | null {
    return findNearCell(point, (cell) => this.#firstOf(cell) !== NONE);
  }

  /** The time of a step, ms: what its drives took, and a usual speed where there were few. */
  #expectMs(i: number): number {
    const { ms, meters, drives } = this.#steps;
    return (ms[i]! * drives[i]! + (meters[i]! / USUAL_M_PER_MS) * USUAL_COUNTS) / (drives[i]! + USUAL_COUNTS);
  }

  /**
   * The quickest way from a cell to the cells that `leftFrom` knows the rest of; null where no road leads there or the
   * search takes too long. `goal` is where they lie, to search toward it.
   *
   * P. E. Hart, N. J. Nilsson and B. Raphael, "A formal basis for the heuristic determination of minimum cost paths",
   * IEEE Transactions on Systems Science and Cybernetics 4 (2), 1968.
   */
  findWay(
    from: number,
    goal: LatLng,
    leftFrom: (cell: number) => Way | null,
    search: Searching = { cells: Infinity },
  ): RoadWay | null {
    const { to: toCells, from: fromCells, meters } = this.#steps;
    // By the time until there and, at least, from there on: not by distance.
    const queue = createNodeQueue();
    let best: (Way & { left: Way; by: number }) | null = null;
    const arrive = (cell: number, driveMs: number, distM: number, by: number): boolean => {
      const left = leftFrom(cell);
      if (!left || (best && driveMs + left.driveMs >= best.driveMs)) return false;
      best = { distM: distM + left.distM, driveMs: driveMs + left.driveMs, left, by };
      return true;
    };
    const start = this.#slotOf(from);
    const end = () => best && { distM: best.distM, driveMs: best.driveMs, cells: this.#trace(best, start) };
    if (arrive(from, 0, 0, NONE)) return end();
    reached.begin(this.#firsts.length);
    if (this.#firsts[start] !== NONE && reached.isSooner(start, 0, 0, NONE)) queue.push(start, 0);
    const most = Math.min(MOST_SEARCHED, search.cells);
    for (let searched = 0; searched < most; searched += 1) {
      const nearest = queue.pop();
      if (!nearest || (best && nearest.distM >= (best as Way).driveMs)) return end();
      search.cells -= 1;
      const slot = nearest.node;
      const [soMs, soM] = [reached.driveMs[slot]!, reached.distM[slot]!];
      const first = this.#firsts[slot]!;
      if (slot !== start && arrive(fromCells[first]!, soMs, soM, reached.by[slot]!)) continue;
      for (let i = first; i !== NONE; i = this.#nexts[i]!) {
        const to = toCells[i]!;
        const [driveMs, distM] = [soMs + this.#expectMs(i), soM + meters[i]!];
        const next = this.#slotOf(to);
        // A cell that no step leaves is an end or the goal.
        if (this.#firsts[next] === NONE) arrive(to, driveMs, distM, i);
        else if (reached.isSooner(next, driveMs, distM, i))
          queue.push(next, driveMs + distanceM(centerOf(to), goal) / GUIDE_M_PER_MS);
      }
    }
    if (most < MOST_SEARCHED) search.isCut = true;
    return search.isCut ? null : end();
  }

  /** What is left from each cell of the way that a search has found, which ends with a step, from its last cell on. */
  #trace({ left, by }: { left: Way; by: number }, start: number): LeftFrom[] {
    const { from, meters } = this.#steps;
    const cells: LeftFrom[] = [];
    let { distM, driveMs } = left;
    for (let i = by; i !== NONE;) {
      distM += meters[i]!;
      driveMs += this.#expectMs(i);
      const cell = from[i]!;
      cells.push({ cell, distM, driveMs });
      const slot = this.#slotOf(cell);
      i = slot === start ? NONE : reached.by[slot]!;
    }
    return cells;
  }
}
