import 'server-only';
import { DEFAULT_MOTION_SETTINGS } from '@/lib/motion/settings';
import type { MotionSettings } from '@/lib/motion/settings';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** How feeds poll, what they keep and for how long. */
export interface LiveSettings {
  /** A feed polls for this long after it was last asked: browsers ask at least once a minute. */
  watchMs: number;
  rosterEveryMs: number;
  accountEveryMs: number;
  /** After a failure the roster and the account are asked for again, without troubling the feed. */
  sideRetryMs: number;
  /** The first answer waits this long for the provider, and then says that nothing came. */
  firstAnswerMs: number;
  /** Once there are units, it waits this much longer for the roster and the account. */
  sideGraceMs: number;
  /** Browsers are told to ask this much after the next version is due. */
  slackMs: number;
  /** Retries of a failing provider never lie further apart than this, unless it asks for more itself. */
  maxBackoffMs: number;
  /** The pause before a fleet is requested again that the provider refuses and has never answered. */
  refusedRetryMs: number;
  /** Such refusals that are kept at once; the oldest makes room. */
  refusalsKept: number;
  /** The longest Retry-After that is believed. */
  maxRetryAfterMs: number;
  /** A wait of at least this before the next attempt is shown, and users may cut it short. */
  toldWaitMs: number;
  /** The least time between an attempt and one that a user asks for. */
  tryNowEveryMs: number;
  /** An answer that contradicts what is known is taken only once it has been repeated for so long. */
  doubtHoldMs: number;
  /** Fewer units than this say nothing about the fleet as a whole. */
  doubtUnits: number;
  /** What less than this part of the units does may be chance: 0 to 1. */
  doubtShare: number;
  /** What counts as usual for a fleet: see createFleetNorms. Shares are 0 to 1. */
  norms: {
    /** Fewer departures than this are usual in every fleet. */
    leastDepartures: number;
    youngAnswers: number;
    youngShare: number;
    leastShare: number;
    mostShare: number;
    /** What exceeds the largest value seen by this factor is unusual. */
    margin: number;
    advanceAnswers: number;
    /** A fleet in which fewer units advance in a mean answer does not always advance. */
    advanceLeast: number;
    missedAdvances: number;
  };
  /** The notice of a list that became shorter stays for this long after the list was taken, unless it recovers. */
  dropToldMs: number;
  /** A contradicted fleet is trusted again after this many answers in a row without a contradiction, and `doubtHoldMs`. */
  steadyAnswers: number;
  /** While answers alternate, the snapshot is stale only after more than this many held ones in a row. */
  alternatingAnswers: number;
  /** Our clock and the provider's contradict one another from the first on, and no longer below the second. */
  clockApartMs: number;
  clockTogetherMs: number;
  /** Versions against which a change can be told; a browser that holds an older one gets everything. */
  versionsKept: number;
  /** A unit that is neither listed nor on the roster leaves the fleet after this long. */
  forgetAfterMs: number;
  /** Rows of units that left are kept up to this many, or half of all, until the fleet is numbered anew. */
  emptyRowsLeast: number;
  /** Recent fixes kept for all units together, and the least for each, so that memory has a bound. */
  trackFixesTotal: number;
  trackFixesLeast: number;
  /** Records kept for all units together so that late ones still find their place; above it, none is. */
  lateFixesTotal: number;
  /** Fleets that are kept at once; the one asked for longest ago makes room. */
  maxFleets: number;
  /** The least pause between two look-ups of a VIN's carrier; null: none is looked up but by who opens a unit. */
  carrierPauseMs: number | null;
  /** By up to this share of itself a pause is longer, so that servers do not ask in step. */
  carrierJitter: number;
  /** The first pause after a look-up that failed; each further one doubles it, as with polls. */
  carrierRetryMs: number;
  /** An answer that would put a unit's flag up or take it down is asked for once more after this long. */
  carrierAgainMs: number;
  /** How long the carrier of a VIN is believed, and of how many VINs it is remembered. */
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

/** How much is remembered of each of so many units. */
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
