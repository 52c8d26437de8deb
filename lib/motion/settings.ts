const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/** What counts as motion, as standing and as silence. Where entering and leaving differ, nothing flaps. */
export interface MotionSettings {
  /** Two fixes closer than this are one place: a parked receiver wanders this far. */
  jitterM: number;
  /** A unit that stands has left its place only beyond this. */
  leaveM: number;
  /** Implied speed at which a unit that was not moving is. */
  movingKph: number;
  /** Implied speed down to which a moving unit still is: a traffic jam is not a stop. */
  keepMovingKph: number;
  /** A slower displacement than that, up to this far, is a shuffle in a yard or a queue: the status stays. */
  shuffleM: number;
  /** A moving unit has stopped after this long in one place: a red light is not a stop. */
  stopAfterMs: number;
  /** A unit of which nothing is known yet stands after this long in one place. */
  settleMs: number;
  /** Speed and heading need fixes at least this long apart, for times in whole seconds. */
  baselineMs: number;
  /** An implied speed above this is an impossible jump. */
  impossibleKph: number;
  /** Late after this many usual intervals without a fix, and never sooner than `lateAtLeastMs`. */
  lateIntervals: number;
  lateAtLeastMs: number;
  /** Silent after this long without a fix. */
  silentAfterMs: number;
  /** The usual interval is the median of this many of the last ones, known from `rhythmLeast` on. */
  rhythmIntervals: number;
  rhythmLeast: number;
  /** A fix later than now by more than this has no usable time. */
  futureMs: number;
  /** Nor has one older than this: a GPS receiver that lost count of its weeks is 1024 of them behind. */
  pastMs: number;
  /** Recent fixes kept a unit, and how far back they reach. */
  trackFixes: number;
  trackMs: number;
}

export const DEFAULT_MOTION_SETTINGS: Readonly<MotionSettings> = {
  jitterM: 60,
  leaveM: 120,
  movingKph: 5,
  keepMovingKph: 3,
  shuffleM: 250,
  stopAfterMs: MINUTE_MS,
  settleMs: 20 * SECOND_MS,
  baselineMs: 5 * SECOND_MS,
  impossibleKph: 200,
  lateIntervals: 3,
  lateAtLeastMs: 3 * MINUTE_MS,
  silentAfterMs: 30 * MINUTE_MS,
  rhythmIntervals: 5,
  rhythmLeast: 3,
  futureMs: 2 * MINUTE_MS,
  pastMs: 1023 * WEEK_MS,
  trackFixes: 60,
  trackMs: 30 * MINUTE_MS,
};
