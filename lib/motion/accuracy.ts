import { METERS_PER_DEGREE, distanceM } from '@/lib/geo/geodesy';
import type { MotionSettings } from './settings';
import { countFixes, fixOf, type Fix, type Track } from './track';

/** Four decimals are 11 m, finer than a receiver's error. */
const FINE_DECIMALS = 4;
/** A single position may have few decimals by chance; only fewer than this need more positions as evidence. */
const FIRST_DECIMALS = 2;
/** After this many positions in a row with fewer decimals, a unit's positions have become coarser. */
const COARSER_PLACES = 8;
const decimalsOf = (degrees: number): number => {
  let scaled = degrees;
  for (let decimals = 0; decimals < FINE_DECIMALS; decimals++, scaled *= 10) {
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6) return decimals;
  }
  return FINE_DECIMALS;
};

/** Decimals of a position: those of its finer coordinate, at most four. */
const positionDecimals = ({ lat, lng }: Fix): number => Math.max(decimalsOf(lat), decimalsOf(lng));

/** How fine positions are: 16 × the most decimals + how many in a row had fewer, in one small integer. */
type Resolution = number;

export const NO_RESOLUTION: Resolution = -1;

/** The resolution after one more fix, which is the last one of `track`. */
export const observeResolution = (resolution: Resolution, track: Track): Resolution => {
  const last = countFixes(track) - 1;
  const fix = fixOf(track, last);
  const decimals = positionDecimals(fix);
  if (resolution === NO_RESOLUTION) return 16 * Math.max(FIRST_DECIMALS, decimals);
  const finest = resolution >> 4;
  if (decimals >= finest) return 16 * decimals;
  const before = last > 0 ? fixOf(track, last - 1) : null;
  if (before?.lat === fix.lat && before.lng === fix.lng) return resolution;
  const coarser = (resolution & 15) + 1;
  if (coarser < COARSER_PLACES) return 16 * finest + coarser;
  let held = decimals;
  for (let i = Math.max(0, last - COARSER_PLACES + 1); i < last; i++) {
    held = Math.max(held, positionDecimals(fixOf(track, i)));
  }
  return 16 * Math.min(held, finest);
};

/** Meters between two neighboring values of a unit's coordinates; 0 where that is finer than a receiver's error. */
const toStepM = (resolution: Resolution): number => {
  const decimals = resolution >> 4;
  return resolution === NO_RESOLUTION || decimals >= FINE_DECIMALS ? 0 : METERS_PER_DEGREE / 10 ** decimals;
};

/** It is not known yet how far a unit's positions are apart while it stands. */
export const NO_WANDER = -1;

/** The errors of two fixes that are nearer in time are alike. */
const APART_MS = 60_000;
/** Weight of the newest distance in the running mean, for fixes that are so far apart in time. */
const NEWEST = 1 / 8;
/** A distance counts for at most this many times the mean: a unit that is moved to another spot is not off by as much. */
const LONG = 2;
/** The least that a distance may count, so that a receiver that was good may turn bad, m. */
const LEAST_LONG_M = 8;

/** The mean distance between fixes of a parked unit, a minute apart or more, after one more fix, m. */
export const observeWander = (wanderM: number, track: Track): number => {
  const last = countFixes(track) - 1;
  if (last < 1) return wanderM;
  const newest = fixOf(track, last);
  const gapMs = newest.fixAtMs - fixOf(track, last - 1).fixAtMs;
  let i = last - 1;
  while (i > 0 && newest.fixAtMs - fixOf(track, i).fixAtMs < APART_MS) i--;
  const longM = Math.max(wanderM + LEAST_LONG_M, LONG * wanderM);
  const weight = NEWEST * Math.min(1, gapMs / APART_MS);
  return wanderM + weight * (Math.min(longM, distanceM(fixOf(track, i), newest)) - wanderM);
};

/**
 * The median distance, m, between neighbors among the newest `fixes`: a first estimate that never makes positions
 * coarse.
 */
export const toFirstWanderM = (track: Track, fixes: number, { coarseM }: MotionSettings): number => {
  const count = countFixes(track);
  const apartM: number[] = [];
  for (let i = Math.max(1, count - fixes + 1); i < count; i++)
    apartM.push(distanceM(fixOf(track, i - 1), fixOf(track, i)));
  apartM.sort((a, b) => a - b);
  return Math.min(apartM[(apartM.length - 1) >> 1] ?? 0, coarseM - 1);
};

/** The quality of a unit's positions, estimated from its own fixes. */
export interface Accuracy {
  resolution: Resolution;
  /** Mean distance between fixes a minute apart while it stands, m; NO_WANDER before it stood. */
  wanderM: number;
}

/** Significant distances for one unit, m. */
export interface Radii {
  /** Two fixes closer than this may be one place. */
  jitterM: number;
  /** A parked unit has left its place only beyond this. */
  leaveM: number;
  /** Fixes within this, corner to corner, may be one place. */
  placeM: number;
  /** The step of its coordinates where that is coarser than a receiver's error, else 0. */
  stepM: number;
}

/** Fixes of one place are up to three times their mean distance apart by chance alone. */
const WANDER_REACH = 3;
/** Two fixes of one place may be in squares that touch at a corner. */
const STEP_REACH = 1.5;

/** The step of a fix of a unit with fine positions that has fewer decimals: it may be the first of many. */
const toOwnStepM = (resolution: Resolution, fix: Fix): number => {
  const decimals = positionDecimals(fix);
  const isCoarser = resolution >> 4 >= FINE_DECIMALS && decimals < FINE_DECIMALS;
  return isCoarser ? toStepM(16 * decimals) : 0;
};

/**
 * The significant distances for a unit; a `fix` that is coarser than its positions so far counts by its own decimals.
 */
export const toRadii = (
  { resolution, wanderM }: Accuracy,
  settings: MotionSettings,
  fix: Fix | null = null,
): Radii => {
  const stepM = Math.max(toStepM(resolution), fix === null ? 0 : toOwnStepM(resolution, fix));
  const jitterM = Math.max(settings.jitterM, WANDER_REACH * wanderM, STEP_REACH * stepM);
  return {
    jitterM,
    leaveM: Math.max(settings.leaveM, jitterM),
    placeM: Math.max(settings.placeM + stepM, jitterM),
    stepM,
  };
};

/** The position error of a unit, m; 0 where it is about a receiver's. */
export const toCoarseM = ({ resolution, wanderM }: Accuracy, settings: MotionSettings): number => {
  const offM = Math.max(toStepM(resolution), wanderM);
  return offM >= settings.coarseM ? Math.round(offM) : 0;
};

/** A receiver in the open is off by less. */
const SPOT_M = 10;

/** The least step of a unit, m, that is no wander of its receiver. */
export const toLongStepM = (wanderM: number): number => Math.max(SPOT_M, WANDER_REACH * wanderM);
