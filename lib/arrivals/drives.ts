import { distanceM, interpolate } from '@/lib/geo/geodesy';
import type { LatLng } from '@/lib/geo/units';
import { MINUTE_MS } from '@/lib/base/time';
import { CELL_M, toCell } from './cells';

/** A position of one vehicle at one time, Unix ms. */
export interface RoadFix extends LatLng {
  fixAtMs: number;
}

/** A way to a stop: its length in meters, and the time that trucks take to drive it in ms, waits of under ten minutes included. */
export interface Way {
  distM: number;
  driveMs: number;
}

/** Steps in which the straight line between two fixes is walked, so that it misses no cell by more than a corner. */
const SAMPLE_M = CELL_M / 2;

/** The time between two fixes that are farther apart says nothing of the roads between them. */
const LONGEST_STEP_MS = 10 * MINUTE_MS;

/** A vehicle that stands longer rests: this is no part of the time that its way takes. */
export const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/** 160 km/h: a faster step is a jump of the receiver. */
const FASTEST_M_PER_MS = 160 / 3600;

/** A step shorter than this may be the wander of a receiver that stands. */
export const STANDING_M = 30;

/** A cell of a drive, with the meters and the driving time in ms from the drive's start until it was entered. */
export interface DrivenCell {
  cell: number;
  atM: number;
  atMs: number;
  /** When it was entered, Unix ms. */
  seenMs: number;
}

/** A drive as the cells that it crosses, and the time of its rests, ms. */
export interface Drive {
  cells: DrivenCell[];
  restMs: number;
}

/**
 * The drives of one vehicle, from its fixes in the order of time. A drive ends at a gap of over ten minutes and at a jump;
 * it goes on after a rest, whose time is not driving time.
 */
export const toDrives = (fixes: readonly RoadFix[]): Drive[] => {
  const drives: Drive[] = [];
  let drive: Drive = { cells: [], restMs: 0 };
  let [atM, atMs, waitMs] = [0, 0, 0];
  for (let i = 1; i < fixes.length; i += 1) {
    const [last, fix] = [fixes[i - 1]!, fixes[i]!];
    const stepMs = fix.fixAtMs - last.fixAtMs;
    const stepM = distanceM(last, fix);
    if (stepM < STANDING_M && stepMs > 0) {
      waitMs += stepMs;
      continue;
    }
    if (stepMs <= 0 || stepMs > LONGEST_STEP_MS || stepM > stepMs * FASTEST_M_PER_MS) {
      if (drive.cells.length > 1) drives.push(drive);
      drive = { cells: [], restMs: 0 };
      [atM, atMs, waitMs] = [0, 0, 0];
      continue;
    }
    if (waitMs > LONGEST_WAIT_MS) drive.restMs += waitMs;
    else atMs += waitMs;
    waitMs = 0;
    const samples = Math.ceil(stepM / SAMPLE_M);
    for (let sample = drive.cells.length === 0 ? 0 : 1; sample <= samples; sample += 1) {
      const fraction = sample / samples;
      const cell = toCell(interpolate(last, fix, fraction));
      if (cell === drive.cells.at(-1)?.cell) continue;
      drive.cells.push({
        cell,
        atM: atM + stepM * fraction,
        atMs: atMs + stepMs * fraction,
        seenMs: last.fixAtMs + stepMs * fraction,
      });
    }
    atM += stepM;
    atMs += stepMs;
  }
  if (drive.cells.length > 1) drives.push(drive);
  return drives;
};
