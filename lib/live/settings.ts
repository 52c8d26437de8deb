import 'server-only';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import type { MotionSettings } from '@/lib/motion/settings';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How feeds poll, and how much they keep for how long. */
export interface LiveSettings {
  /** A feed polls for this long after its last request: browsers send one at least once a minute. */
  watchMs: number;
  rosterEveryMs: number;
  accountEveryMs: number;
  /** After a failure the roster and the account are requested again, without delaying the feed. */
  sideRetryMs: number;
  /** The first answer waits this long for the provider, and is empty after that. */
  firstAnswerMs: number;
  /** Once there are units, it waits this much longer for the roster and the account. */
  sideGraceMs: number;
  /** Browsers poll this much after the next version is due. */
  slackMs: number;
  /** Retries of a failing provider are at most this far apart, unless its Retry-After is longer. */
  maxBackoffMs: number;
  /** The pause before a fleet is requested again that the provider refuses and has never answered. */
  refusedRetryMs: number;
  /** Refusals kept at once; the oldest is evicted. */
  refusalsKept: number;
  /** The longest Retry-After that is obeyed. */
  maxRetryAfterMs: number;
  /** A wait of at least this before the next attempt is shown, and users may cut it short. */
  toldWaitMs: number;
  /** The least time between an attempt and one that a user starts. */
  tryNowEveryMs: number;
  /** An answer with an anomaly is accepted only once it has been repeated for this long. */
  doubtHoldMs: number;
  /** Fewer units than this are too few to judge the fleet as a whole. */
  doubtUnits: number;
  /** Less than this part of the units may be chance: 0 to 1. */
  doubtShare: number;
  /** Norms of a fleet: see createFleetNorms. Shares are 0 to 1. */
  norms: {
    /** Fewer departures than this are usual in every fleet. */
    leastDepartures: number;
    youngAnswers: number;
    youngShare: number;
    leastShare: number;
    mostShare: number;
    /** A value above the largest one seen times this factor is unusual. */
    margin: number;
    advanceAnswers: number;
    /** A fleet in which fewer units advance in a mean answer has no norm of advance. */
    advanceLeast: number;
    missedAdvances: number;
  };
  /** The notice of a shorter list stays for this long after the list was accepted, unless it recovers. */
  dropToldMs: number;
  /**
   * A fleet with an anomaly is trusted again after this many answers in a row without one, and `doubtHoldMs`.
   */
  steadyAnswers: number;
  /**
   * While answers alternate, the snapshot is stale only after more than this many quarantined ones in a row.
   */
  alternatingAnswers: number;
  /**
   * The clock anomaly starts at the first difference between our clock and the provider's, and ends below the
   * second.
   */
  clockApartMs: number;
  clockTogetherMs: number;
  /** Versions that a change can be encoded against; a browser that holds an older one gets everything. */
  versionsKept: number;
  /** A unit that is neither listed nor on the roster leaves the fleet after this long. */
  forgetAfterMs: number;
  /** Rows of units that left are kept up to this many, or half of all, until the rows are renumbered. */
  emptyRowsLeast: number;
  /** Recent fixes kept for all units together, and the least for each, so that memory has a bound. */
  trackFixesTotal: number;
  trackFixesLeast: number;
  /**
   * Records kept for all units together so that late ones can be inserted in order; above it, none is kept.
   */
  lateFixesTotal: number;
  /** Fleets kept at once; the one requested longest ago is evicted. */
  maxFleets: number;
  /**
   * The least pause between two look-ups of a VIN's carrier; null: no background look-ups, only those of an
   * opened unit.
   */
  carrierPauseMs: number | null;
  /** Jitter: a pause is longer by up to this share, so that servers do not send in step. */
  carrierJitter: number;
  /** The first pause after a look-up that failed; each further one doubles it, as with polls. */
  carrierRetryMs: number;
  /** An answer that would change a unit's flag is requested once more after this long. */
  carrierAgainMs: number;
  /** How long an answer about a VIN's carrier is cached, and for how many VINs. */
  carrierTtlMs: number;
  carriersKept: number;
  motion: MotionSettings;
}

export const DEFAULT_LIVE_SETTINGS: Readonly<LiveSettings> = {
  watchMs: 75 * SECOND_MS,
  rosterEveryMs: 5 * MINUTE_MS,
  accountEveryMs: 60 * MINUTE_MS,
  sideRetryMs: MINUTE_MS,
  firstAnswerMs: 8 * SECOND_MS,
  sideGraceMs: 1500,
  slackMs: 250,
  maxBackoffMs: 2 * MINUTE_MS,
  refusedRetryMs: 5 * MINUTE_MS,
  refusalsKept: 100,
  maxRetryAfterMs: 60 * MINUTE_MS,
  toldWaitMs: 30 * SECOND_MS,
  tryNowEveryMs: 10 * SECOND_MS,
  doubtHoldMs: MINUTE_MS,
  doubtUnits: 5,
  doubtShare: 0.1,
  norms: {
    leastDepartures: 2,
    youngAnswers: 180,
    youngShare: 0.1,
    leastShare: 0.02,
    mostShare: 0.25,
    margin: 1.5,
    advanceAnswers: 12,
    advanceLeast: 2,
    missedAdvances: 8,
  },
  dropToldMs: 30 * MINUTE_MS,
  steadyAnswers: 3,
  alternatingAnswers: 2,
  clockApartMs: 2 * MINUTE_MS,
  clockTogetherMs: 90_000,
  versionsKept: 12,
  forgetAfterMs: 120 * MINUTE_MS,
  emptyRowsLeast: 500,
  trackFixesTotal: 240_000,
  trackFixesLeast: 8,
  lateFixesTotal: 80_000,
  maxFleets: 32,
  carrierPauseMs: SECOND_MS,
  carrierJitter: 0.5,
  carrierRetryMs: 30 * SECOND_MS,
  carrierAgainMs: 10 * SECOND_MS,
  carrierTtlMs: 24 * 60 * MINUTE_MS,
  carriersKept: 50_000,
  motion: DEFAULT_MOTION_SETTINGS,
};

/** How much is kept of each unit where there are this many units. */
export const toUnitBounds = (
  settings: LiveSettings,
  units: number,
): Pick<MotionSettings, 'trackFixes' | 'lateFixes'> => {
  const share = (total: number): number => Math.floor(total / Math.max(1, units));
  const { trackFixes, lateFixes } = settings.motion;
  return {
    trackFixes: Math.min(trackFixes, Math.max(settings.trackFixesLeast, share(settings.trackFixesTotal))),
    lateFixes: Math.min(lateFixes, share(settings.lateFixesTotal)),
  };
};
