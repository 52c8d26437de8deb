import { MINUTE_MS } from '@/lib/base/time';
import { findWay, type Destination, type FindOptions } from './find-way';
import { ArrivalGrades, type Graded } from './grades';
import { toCell, toHour } from './cells';
import { toDrives, type DrivenCell, type RoadFix, type Way } from './drives';
import { LearnedRoads } from './learned-roads';
import { packArrays, unpackArrays } from './packed';
import { UsualWays } from './usual-ways';
import { UsualStops, toDuties, toRestsMs, type Duty } from './duty';

/** What is expected of a drive to a stop, from the truck's newest fix. */
export interface Estimate extends Graded {
  distM: number;
  fixAtMs: number;
  /** The rests that the limits on driving hours ask for, where they are more than the usual stops, ms; absent: none. */
  restMs?: number;
}

/** When a truck arrives, in 8 of 10 cases. Unix ms. */
export interface ArrivalWindow extends Estimate {
  fromMs: number;
  toMs: number;
  /** Earlier estimates of this kind that the window stands on. */
  grades: number;
}

/** A truck that is silent for longer can be anywhere. */
export const MOST_SILENT_MS = 4 * 60 * MINUTE_MS;

/** A truck at its stop is expected within a minute, not at once. */
export const LEAST_EXPECTED_MS = MINUTE_MS;

/** The end of a window at a time: a truck that was not seen to arrive yet is expected within a minute, not in the past. */
export const toWindowEndMs = (toMs: number, nowMs: number): number =>
  Math.max(toMs, nowMs + LEAST_EXPECTED_MS);

/** Changes with what is packed, and with the rules that it is learned by: what another version learned is learned again. */
export const LEARNED_VERSION = 1;

/** Cells of the ways that searches found, about 17 MB: a thousand ways of 500 km. */
const MOST_FOUND_CELLS = 1_000_000;

/** What the drives of one fleet teach about its times of arrival. */
export class Arrivals {
  readonly roads: LearnedRoads;
  readonly ways: UsualWays;
  readonly stops: UsualStops;
  readonly grades: ArrivalGrades;
  /** What is left along ways that were found by a search of roads: the next estimate on such a way needs none. */
  readonly found = new UsualWays(MOST_FOUND_CELLS);

  constructor({
    roads = new LearnedRoads(),
    ways = new UsualWays(),
    stops = new UsualStops(),
    grades = new ArrivalGrades(),
  }: Partial<Omit<Arrivals, 'found'>> = {}) {
    this.roads = roads;
    this.ways = ways;
    this.stops = stops;
    this.grades = grades;
  }

  /**
   * What was packed, without grades; the buffer stays theirs.
   * @throws if it is no such buffer, or of another version
   */
  static unpack(buffer: ArrayBuffer, grades = new ArrivalGrades()): Arrivals {
    const unpacked = unpackArrays(buffer);
    const { version, stops } = unpacked.about as { version: number; stops: string[] };
    if (version !== LEARNED_VERSION) throw new Error(`This is version ${version}, not ${LEARNED_VERSION}.`);
    return new Arrivals({
      roads: LearnedRoads.unpack(unpacked),
      ways: UsualWays.unpack(unpacked, stops),
      stops: UsualStops.unpack(unpacked),
      grades,
    });
  }

  /** Roads, hours, ways and stops in one buffer; grades are kept with the loads. */
  pack(): ArrayBuffer {
    const { stops, arrays } = this.ways.pack();
    return packArrays(
      { version: LEARNED_VERSION, stops },
      { ...this.roads.pack(), ...arrays, ...this.stops.pack() },
    );
  }

  /** Learns roads from the fixes of one truck, in the order of time. */
  learn(fixes: readonly RoadFix[]): void {
    for (const drive of toDrives(fixes)) this.roads.learn(drive);
  }

  /** Learns the way to a stop from the fixes of the truck that arrived there, from its last other stop on. */
  learnArrival(stop: string, fixes: readonly RoadFix[]): void {
    const last = toDuties(fixes, (drivenMs, stoodMs) => this.stops.add(drivenMs, stoodMs)).at(-1);
    if (last) this.stops.add(last.sinceStopMs, null);
    const drive = toDrives(fixes).at(-1);
    if (!drive) return;
    const hourly = (cell: DrivenCell, way: Way) => this.roads.hours.at(toHour(cell.cell, cell.seenMs), way);
    this.ways.learn(stop, drive, hourly);
  }

  estimate(
    fix: RoadFix & { isStanding: boolean },
    to: Destination,
    duty: Duty,
    options?: FindOptions,
  ): Estimate {
    const { by, ...way } = findWay(this, fix, to, options);
    const { distM } = way;
    const driveMs = way.driveMs * this.roads.hours.at(toHour(toCell(fix), fix.fixAtMs), way);
    const { stops, stopMs } = this.stops.expect(driveMs, duty);
    const restMs = toRestsMs(driveMs, duty);
    const expectedMs = driveMs + Math.max(stopMs, restMs);
    return {
      by,
      stops,
      isStanding: fix.isStanding,
      distM,
      expectedMs: Math.max(LEAST_EXPECTED_MS, expectedMs),
      fixAtMs: fix.fixAtMs,
      ...(restMs > stopMs && { restMs }),
    };
  }

  /**
   * The window of an estimate at a time (Unix ms). A truck that is silent may stand since its fix: the window's end moves
   * on with the time that is over its usual interval between fixes, ms.
   */
  window<T extends Estimate>(estimate: T, nowMs: number, rhythmMs: number): T & ArrivalWindow {
    const { low, high, grades } = this.grades.factorsFor(estimate);
    const { fixAtMs, expectedMs } = estimate;
    const silentMs = Math.max(0, nowMs - fixAtMs - rhythmMs);
    return {
      ...estimate,
      fromMs: Math.round(fixAtMs + low * expectedMs),
      toMs: toWindowEndMs(Math.round(fixAtMs + high * expectedMs + silentMs), nowMs),
      grades,
    };
  }
}
