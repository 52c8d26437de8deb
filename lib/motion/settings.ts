import type { Flag } from './status';
import { HOUR_MS, MINUTE_MS, SECOND_MS, DAY_MS } from '@/lib/base/time';

/** The minimum and maximum of each number of a flag's threshold. */
export const THRESHOLD_BOUNDS = {
  enterMs: [0, DAY_MS],
  // Never 0: a flag that clears at the first finding to the contrary flaps.
  leaveMs: [SECOND_MS, 90 * DAY_MS],
  enterAnswers: [1, 20],
  leaveAnswers: [1, 20],
} as const;

const WEEK_MS = 7 * 24 * HOUR_MS;

/** The thresholds that raise and clear a flag. Between the two it stays as it is. */
export interface FlagThreshold {
  /** How long the finding must last without a break; 0: the first finding raises the flag. */
  enterMs: number;
  /** How long the finding must be gone; for an event, how long it is shown. */
  leaveMs: number;
}

/** The thresholds of each flag: in the unit's own time for what its records show, in the server's for the rest. */
const FLAG_THRESHOLDS: Readonly<Record<Flag, FlagThreshold>> = {
  noPosition: { enterMs: 0, leaveMs: MINUTE_MS },
  clockFault: { enterMs: 0, leaveMs: 5 * MINUTE_MS },
  impossibleJump: { enterMs: 0, leaveMs: 5 * MINUTE_MS },
  duplicateVin: { enterMs: 0, leaveMs: MINUTE_MS },
  // Shown by the records of a device, one of which may be garbled: two answers in a row, at any pace of polls.
  badVin: { enterMs: 5 * SECOND_MS, leaveMs: MINUTE_MS },
  // Longer than the five minutes between two readings of the roster, in case they contradict each other.
  notOnRoster: { enterMs: MINUTE_MS, leaveMs: 6 * MINUTE_MS },
  // Its answers are counted first: othersAnswers and ownAnswers.
  wrongCarrier: { enterMs: 0, leaveMs: MINUTE_MS },
  frozenPosition: { enterMs: 2 * MINUTE_MS, leaveMs: MINUTE_MS },
  identityChange: { enterMs: MINUTE_MS, leaveMs: 24 * HOUR_MS },
  vinMismatch: { enterMs: 0, leaveMs: MINUTE_MS },
  implausiblePosition: { enterMs: 0, leaveMs: MINUTE_MS },
  notIdentified: { enterMs: 0, leaveMs: MINUTE_MS },
};

/** Thresholds of motion, standing, silence and flags. Entering and leaving thresholds differ, so that nothing flaps. */
export const DEFAULT_MOTION_SETTINGS = {
  /** Two fixes closer than this are one place: a parked receiver wanders this far. */
  jitterM: 60,
  /** A parked unit has left its place only beyond this. */
  leaveM: 120,
  /** The implied speed at which a unit starts to move. */
  movingKph: 5,
  /** The implied speed down to which a moving unit keeps moving: a traffic jam is not a stop. */
  keepMovingKph: 3,
  /**
   * Fixes within this, corner to corner, may be one place: a yard, a queue, or a receiver that wanders. A unit stands
   * there once they span longer than walking across takes at `walkMps`.
   */
  placeM: 260,
  walkMps: 3 / 3.6,
  /** A moving unit has stopped after this long in one place at the soonest: a red light is not a stop. */
  stopAfterMs: MINUTE_MS,
  /** The longest that fixes of any place need to show a stop. */
  standAtMostMs: 10 * MINUTE_MS,
  /** Where coordinates are coarse, up to this much later: a unit may drive for a while before they change. */
  coarseStandMs: 9 * MINUTE_MS,
  /** A unit whose fixes are within `stillM` for `movingWindowMs` is not moving, however coarse they are. */
  stillM: 50,
  /** A unit without known motion stands after this long in one place at the soonest. */
  settleMs: 20 * SECOND_MS,
  /**
   * A unit that was first seen so long ago, and no longer ago than `firstAtMostMs`, and reports at least every
   * `firstRhythmMs`, is moving or stopped, whichever its few fixes show more: with so many of them neither is a guess.
   */
  firstAtLeastMs: 3.5 * MINUTE_MS,
  firstAtMostMs: 10 * MINUTE_MS,
  firstRhythmMs: MINUTE_MS,
  /** This many fixes of one place show how far they are apart by chance. */
  wanderFixes: 8,
  /** Positions that are off by this much or more are called coarse, m. */
  coarseM: 75,
  /** Speed and heading need fixes at least this long apart, for times in whole seconds. */
  baselineMs: 5 * SECOND_MS,
  /** An implied speed above this is an impossible jump. */
  impossibleKph: 180,
  /** Late after this many usual intervals without a fix, and never sooner than `lateAtLeastMs`. */
  lateIntervals: 3,
  lateAtLeastMs: 3 * MINUTE_MS,
  /** A unit that was late lately is late again only after its longest recent pause times this. */
  lateAgain: 1.25,
  /** After this many pauses in one place, late only after the shortest of them times `lateAgain`. */
  lateRests: 2,
  /**
   * A status is given with the time of its fix once that is older than this many usual intervals, within these bounds
   * (`datedUnknownMs` without a usual interval); a moving one once its leg began `movingWindowMs` ago.
   */
  datedIntervals: 1.5,
  datedAtLeastMs: 2 * MINUTE_MS,
  datedAtMostMs: 15 * MINUTE_MS,
  datedUnknownMs: 5 * MINUTE_MS,
  movingWindowMs: 5 * MINUTE_MS,
  /** Silent after this long without a fix. */
  silentAfterMs: 30 * MINUTE_MS,
  /** A unit has left the list once it was missing from it for this long: one short answer is no departure. */
  vanishedAfterMs: 15 * SECOND_MS,
  /** The usual interval is the median of this many of the last ones, known from `rhythmLeast` on. */
  rhythmIntervals: 5,
  rhythmLeast: 3,
  /** A fix later than now by more than this has no usable time. */
  futureMs: 2 * MINUTE_MS,
  /** Nor has one older than this: a GPS receiver after a week rollover is 1024 weeks behind. */
  pastMs: 1023 * WEEK_MS,
  /** How late the provider passes on most units' records: no unit is late before that. */
  usualDelayMs: 0,
  /** For how long the provider repeats positions of units that drive; 0: it does not. */
  heldPlaceMs: 0,
  /** A unit is dated by another clock once at least two records, over this long, support it and none opposes it. */
  timeBaseAfterMs: 30 * SECOND_MS,
  /** The most by which the ages of two records may differ when they are received. */
  receiptSlackMs: 2 * MINUTE_MS,
  /** Recent fixes kept for each unit, and how far back they reach. */
  trackFixes: 60,
  trackMs: 30 * MINUTE_MS,
  /** A fix that arrives after up to this many newer ones is still inserted in order; later ones are left out. */
  lateFixes: 4,
  /**
   * A position is frozen where `frozenFixes` fixes repeat it to the last digit after `frozenLegs` legs that took at
   * most `frozenLegMs`, went at least `frozenFromKph` and did not slow down below `frozenKept` of the fastest: no truck
   * stops so.
   */
  frozenFixes: 4,
  frozenLegs: 3,
  frozenLegMs: 75 * SECOND_MS,
  frozenFromKph: 70,
  frozenKept: 0.9,
  /**
   * So many answers in a row must name another carrier before a unit is flagged, and so many must not before the flag
   * is cleared: an answer is cached for a day, so that time alone is no evidence.
   */
  othersAnswers: 2,
  ownAnswers: 2,
  flags: FLAG_THRESHOLDS,
};

export type MotionSettings = typeof DEFAULT_MOTION_SETTINGS;

/** The thresholds of each flag: the part of these settings that managers may change while feeds run. */
export type FlagSettings = Pick<MotionSettings, 'flags' | 'othersAnswers' | 'ownAnswers'>;
