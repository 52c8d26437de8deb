import type { LatLng } from '@/lib/geo/units';
import { NO_RESOLUTION, NO_WANDER, type Accuracy } from './accuracy';
import type { Place } from './place';
import { NO_TRACK, type Fix, type Track } from './track';

/** Two fixes far enough apart to show motion, and the values derived from them. */
export interface Leg {
  distanceM: number;
  spanMs: number;
  /** Fixes from the first to the last of it, inclusive. */
  fixes: number;
  speedKph: number;
  headingDeg: number;
}

/** Fixes that repeat one position to the last digit, after a unit drove and did not slow down. */
export interface FrozenRun {
  /** Time of the first of them. */
  sinceMs: number;
  lastAtMs: number;
  fixes: number;
  /** The speed up to that moment. */
  speedKph: number;
}

/** A position without a usable time: it may be shown while nothing better is held, and is never compared. */
interface Untimed extends LatLng {
  claimedAtMs: number | null;
}

/** A position that was repeated to the last digit until the unit was too far away to have stood there. */
interface HeldPlace {
  untilMs: number;
  spanMs: number;
}

/**
 * The motion state of one unit; immutable.
 *
 * - `none`: no usable fix yet; `once`: one fix, or the first after a gap or a jump, with nothing to compare
 * - `moving`, `stopped`: what its fixes show, as of the newest of them
 * - `unclear`: several fixes that show neither: too near or too slow for driving, too far or too soon for
 *   standing
 */
export interface MotionState extends Accuracy {
  phase: 'none' | 'once' | 'unclear' | 'moving' | 'stopped';
  /** Since when it moves; the other phases begin with their place. */
  movingSinceMs: number;
  /** The newest fix with which it drove within a place; a place where it stands begins later. */
  drivenAtMs: number;
  /** Recent fixes; the newest is the position held. */
  track: Track;
  /** The place where it stands, else the newest fixes that could be one place. */
  place: Place | null;
  /** The leg that shows its motion; null where it does not move. */
  leg: Leg | null;
  intervalsMs: readonly number[];
  usualIntervalMs: number | null;
  /** Its last long pauses between two fixes of one place: how seldom it reports where it stands. */
  restsMs: readonly number[];
  /** The position of an unconfirmed jump, until a second fix confirms it or returns. */
  unconfirmed: Fix | null;
  /** Fixes that repeat one position to the last digit since it drove; null where they do not. */
  frozen: FrozenRun | null;
  untimed: Untimed | null;
  /** The last time that one position was repeated although it drove; null where that is not known. */
  heldPlace: HeldPlace | null;
  /** Its fixes are dated by when they were received, because its own times cannot be trusted. */
  isByReceipt: boolean;
}

/** The motion that a unit resumes from after a restart; times are Unix ms. */
export interface MotionMemory extends Pick<MotionState, 'intervalsMs' | 'restsMs'> {
  phase: 'moving' | 'stopped';
  /** Since when it moves or stands. */
  sinceMs: number;
  /** The time of its newest fix. */
  fixAtMs: number;
}

export const NO_MOTION: MotionState = {
  phase: 'none',
  movingSinceMs: 0,
  drivenAtMs: 0,
  track: NO_TRACK,
  place: null,
  leg: null,
  intervalsMs: [],
  usualIntervalMs: null,
  restsMs: [],
  resolution: NO_RESOLUTION,
  wanderM: NO_WANDER,
  unconfirmed: null,
  frozen: null,
  untimed: null,
  heldPlace: null,
  isByReceipt: false,
};
