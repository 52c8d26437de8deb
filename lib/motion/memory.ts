import type { LatLng } from '@/lib/wire/units';
import { NO_TRACK } from './track';
import type { Fix, Track } from './track';

/** Where a unit has been since its first fix there; every fix of the place counts, held or long forgotten. */
export interface Place extends LatLng {
  firstAtMs: number;
  lastAtMs: number;
  fixes: number;
  /** How far from its first fix the others lie, at most. */
  spreadM: number;
}

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
 * - `moving`, `stopped`: what its fixes say, as of the newest of them
 */
export interface UnitMemory {
  phase: 'none' | 'once' | 'moving' | 'stopped';
  /** Since when it moves; the other phases begin with their place. */
  movingSinceMs: number;
  /** Recent fixes; the newest is the position held. */
  track: Track;
  place: Place | null;
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
  doubtful: null,
  frozen: null,
  untimed: null,
};
