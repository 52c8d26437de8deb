import 'server-only';
import type { LiveSettings } from '../settings';

/** The newest answer compared with the fleet's norms. */
export interface Norms {
  /** By how many records a list may be shorter than the last accepted one; Infinity for a small fleet. */
  mostDepartures: number;
  /** No unit has advanced for several answers in a fleet that always advances. */
  isStill: boolean;
}

/** Norms that no answer violates. */
export const UNJUDGED: Norms = { mostDepartures: Infinity, isStill: false };

/** The counts of one answer that the norms are learned from. */
export interface NormFacts {
  /** Records of the last accepted answer, and of this one. */
  before: number;
  records: number;
  /** Units with a newer fix than the one held. */
  newer: number;
  /** Units with exactly the fix that is held. */
  repeated: number;
}

export interface FleetNorms {
  /** Compares an answer with the norms. To be called once for each answer, before `learn`. */
  read(facts: NormFacts): Norms;
  /** Learns from the last answer read, which was accepted. */
  learn(): void;
}

type NormSettings = Pick<LiveSettings, 'doubtUnits' | 'doubtShare' | 'norms'>;

/**
 * Learns from a feed's own polls how many trucks leave its list at once and how often any of them advances.
 *
 * - Departures: the largest part of the list that left in one poll interval, with a margin; at least
 *   `youngShare` until the feed has accepted `youngAnswers`, `leastShare` after, and never more than
 *   `mostShare`, so that half a list is unusual in each fleet. The limit grows with the time since the last
 *   answer, because departures in that time were not simultaneous.
 * - Advance: the mean number of units with a newer fix in an answer, over about `advanceAnswers` of them.
 *   Without one, as many as `missedAdvances` expected ones must be missing. The longest run of answers
 *   without any advance shows a provider that refreshes its list seldom.
 */
export const createFleetNorms = (options: {
  elapsed: () => number;
  pollIntervalMs: number;
  settings: NormSettings;
}): FleetNorms => {
  const { elapsed, pollIntervalMs, settings } = options;
  const { youngAnswers, youngShare, leastShare, mostShare, margin, leastDepartures } = settings.norms;
  const { advanceAnswers, advanceLeast, missedAdvances } = settings.norms;
  let answers = 0;
  let readAtMs: number | null = null;
  let intervals = 1;
  let last: NormFacts = { before: 0, records: 0, newer: 0, repeated: 0 };
  let largestShare = 0;
  let advances = 0;
  let meanNewer = 0;
  let stillAnswers = 0;
  let longestStill = 0;
  let isStill = false;

  const readMostDepartures = (before: number): number => {
    if (before <= settings.doubtUnits) return Infinity;
    const prior = answers < youngAnswers ? youngShare : leastShare;
    const share = Math.min(mostShare, Math.max(prior, largestShare * margin)) * intervals;
    return Math.max(leastDepartures, before * Math.min(share, 1 - settings.doubtShare));
  };

  const judgeStill = ({ before, records, newer, repeated }: NormFacts): boolean => {
    // Records without a usable fix do not count as repeated.
    stillAnswers = newer > 0 || repeated < records / 2 ? 0 : stillAnswers + 1;
    if (isStill) return stillAnswers > 0;
    return (
      before > settings.doubtUnits &&
      advances >= advanceAnswers / 2 &&
      meanNewer >= advanceLeast &&
      stillAnswers > Math.max(1, longestStill * margin) &&
      stillAnswers * meanNewer >= missedAdvances
    );
  };

  return {
    read: (facts) => {
      const atMs = elapsed();
      intervals = readAtMs === null ? 1 : Math.max(1, (atMs - readAtMs) / pollIntervalMs);
      readAtMs = atMs;
      last = facts;
      const wasStill = isStill;
      const stillBefore = stillAnswers;
      isStill = judgeStill(facts);
      if (facts.newer > 0 && !wasStill) longestStill = Math.max(longestStill, stillBefore);
      return { mostDepartures: readMostDepartures(facts.before), isStill };
    },

    learn: () => {
      answers++;
      const { before, records, newer } = last;
      if (before > settings.doubtUnits)
        largestShare = Math.max(largestShare, (before - records) / before / intervals);
      if (isStill) return;
      if (newer > 0) advances++;
      meanNewer += (newer / intervals - meanNewer) / Math.min(advanceAnswers, answers);
    },
  };
};
