import 'server-only';
import { DEFAULT_MOTION_SETTINGS, type MotionSettings } from '@/lib/motion/settings';
import { MINUTE_MS, SECOND_MS } from '@/lib/base/time';

/** How feeds poll, and how much they keep for how long. */
export const DEFAULT_LIVE_SETTINGS = {
  /** A feed polls for this long after its last request: browsers send one at least once a minute. */
  watchMs: 75 * SECOND_MS,
  rosterEveryMs: 5 * MINUTE_MS,
  accountEveryMs: 60 * MINUTE_MS,
  /** After a failure the roster and the account are requested again, without delaying the feed. */
  sideRetryMs: MINUTE_MS,
  /** The first answer waits this long for the provider, and is empty after that. */
  firstAnswerMs: 8 * SECOND_MS,
  /** Once there are units, it waits this much longer for the roster and the account. */
  sideGraceMs: 1500,
  /** The wait for the recorded fixes; units continue from later ones with the next answer. */
  restoreGraceMs: 3000,
  /** Browsers poll this much after the next version is due. */
  slackMs: 250,
  /** Retries of a failing provider are at most this far apart, unless its Retry-After is longer. */
  maxBackoffMs: 2 * MINUTE_MS,
  /** The pause before a fleet is requested again that the provider refuses and has never answered. */
  refusedRetryMs: 5 * MINUTE_MS,
  /** Refusals kept at once; the oldest is evicted. */
  refusalsKept: 100,
  /** The longest Retry-After that is obeyed. */
  maxRetryAfterMs: 60 * MINUTE_MS,
  /** A wait of at least this before the next attempt is shown, and users may cut it short. */
  shownWaitMs: 30 * SECOND_MS,
  /** The least time between an attempt and one that a user starts. */
  tryNowEveryMs: 10 * SECOND_MS,
  /** An answer with an anomaly is accepted only once it has been repeated for this long. */
  anomalyHoldMs: MINUTE_MS,
  /** Fewer units than this are too few to judge the fleet as a whole. */
  anomalyMinUnits: 5,
  /** Less than this part of the units may be chance: 0 to 1. */
  anomalyShare: 0.1,
  /** Norms of a fleet: see FleetNorms. Shares are 0 to 1. */
  norms: {
    /** Fewer departures than this are usual in every fleet. */
    leastDepartures: 2,
    youngAnswers: 180,
    youngShare: 0.1,
    leastShare: 0.02,
    mostShare: 0.25,
    /** A value above the largest one seen times this factor is unusual. */
    margin: 1.5,
    advanceAnswers: 12,
    /** A fleet in which fewer units advance in a mean answer has no norm of advance. */
    advanceLeast: 2,
    missedAdvances: 8,
  },
  /** The notice of a shorter list stays for this long after the list was accepted, unless it recovers. */
  dropNoticeMs: 30 * MINUTE_MS,
  /** A fleet with an anomaly is trusted again after this many answers in a row without one, and `anomalyHoldMs`. */
  steadyAnswers: 3,
  /** While answers alternate, the snapshot is stale only after more than this many quarantined ones in a row. */
  alternatingAnswers: 2,
  /** The clock anomaly starts at the first difference from the provider's clock, and ends below the second. */
  clockApartMs: 2 * MINUTE_MS,
  clockTogetherMs: 90_000,
  /** Versions that a change can be encoded against; a browser that holds an older one gets everything. */
  versionsKept: 12,
  /** A unit that is neither listed nor on the roster leaves the fleet after this long. */
  forgetAfterMs: 120 * MINUTE_MS,
  /** Rows of units that left are kept up to this many, or half of all, until the rows are renumbered. */
  emptyRowsLeast: 500,
  /** Recent fixes kept for all units together, and the least for each, so that memory has a bound. */
  trackFixesTotal: 240_000,
  trackFixesLeast: 8,
  /** Records kept for all units together so that late ones can be inserted in order; above it, none is kept. */
  lateFixesTotal: 80_000,
  /** Fleets kept at once; the one requested longest ago is evicted. */
  maxFleets: 32,
  /** The least pause between look-ups of carriers; null: only an opened unit's is looked up. */
  carrierPauseMs: SECOND_MS as number | null,
  /** Jitter: a pause is longer by up to this share, so that servers do not send in step. */
  carrierJitter: 0.5,
  /** The first pause after a look-up that failed; each further one doubles it, as with polls. */
  carrierRetryMs: 30 * SECOND_MS,
  /** An answer that would change a unit's flag is requested once more after this long. */
  carrierRepeatMs: 10 * SECOND_MS,
  /** How long an answer about a VIN's carrier is cached, and for how many VINs. */
  carrierTtlMs: 24 * 60 * MINUTE_MS,
  carriersKept: 50_000,
  /** Whether the new fixes of each poll are reported, to be recorded. */
  isRecorded: false as boolean,
  /** Whether there is a routing engine to ask for the ways of loads. */
  isRouted: false as boolean,
  motion: DEFAULT_MOTION_SETTINGS,
};

export type LiveSettings = typeof DEFAULT_LIVE_SETTINGS;

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
