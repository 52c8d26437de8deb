import type { LatLng } from '@/lib/wire/units';
import { NO_RESOLUTION, NO_WANDER } from './accuracy';
import type { Accuracy } from './accuracy';
import type { Place } from './place';
import { NO_TRACK } from './track';
import type { Fix, Track } from './track';

/** Two fixes far enough apart to mean motion, and what they imply. */
export interface Leg {
  distanceM: number;
  spanMs: number;
  /** Fixes from the first to the last of it, both counted. */
  fixes: number;
  speedKph: number;
  headingDeg: number;
}

/** Fixes at one place to the last digit, begun by a unit that drove and did not slow down. */
export interface FrozenRun {
  /** Time of the first of them. */
  sinceMs: number;
  lastAtMs: number;
  fixes: number;
  /** How fast it drove up to there. */
  speedKph: number;
}

/** A position whose time cannot be believed: it may be shown while nothing better is held, never compared. */
export interface Untimed extends LatLng {
  claimedAtMs: number | null;
}

/**
 * What is remembered of one unit; never changed in place.
 *
 * - `none`: no usable fix yet; `once`: one fix, or the first after a gap or a jump, with nothing to compare
 * - `moving`, `stopped`: what its fixes show, as of the newest of them
 * - `unclear`: several fixes that show neither: too near or too slow for driving, too far or too soon for standing
 */
export interface UnitMemory extends Accuracy {
  phase: 'none' | 'once' | 'unclear' | 'moving' | 'stopped';
  /** Since when it moves; the other phases begin with their place. */
  movingSinceMs: number;
  /** Recent fixes; the newest is the position held. */
  track: Track;
  /** Where it stands, else the newest fixes that could be one place. */
  place: Place | null;
  /** What its motion rests on; null where it does not move. */
  leg: Leg | null;
  intervalsMs: readonly number[];
  usualIntervalMs: number | null;
  /** Its last long pauses between two fixes of one place: how seldom it reports where it stands. */
  restsMs: readonly number[];
  /** Where it may have jumped to, until a second fix confirms that or returns. */
  doubtful: Fix | null;
  /** Fixes that repeat one place to the last digit since it drove; null where they do not. */
  frozen: FrozenRun | null;
  untimed: Untimed | null;
  /** Its fixes are dated by when they were received, because its own times cannot be trusted. */
  isByReceipt: boolean;
}

export const EMPTY_MEMORY: UnitMemory = {
  phase: 'none',
  movingSinceMs: 0,
  track: NO_TRACK,
  place: null,
  leg: null,
  intervalsMs: [],
  usualIntervalMs: null,
  restsMs: [],
  resolution: NO_RESOLUTION,
  wanderM: NO_WANDER,
  doubtful: null,
  frozen: null,
  untimed: null,
  isByReceipt: false,
};
