import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { LiveSettings } from './settings';

/** The newest answer compared with the fleet's norms. */
export interface Norms {
  /** By how many records a list may be shorter than the last accepted one; Infinity for a small fleet. */
  mostDepartures: number;
  /** No unit has advanced for several answers in a fleet that always advances. */
  isStill: boolean;
}

/** The counts of one answer that the norms are learned from. */
interface NormFacts {
  /** Records of the last accepted answer, and of this one. */
  before: number;
  records: number;
  /** Units with a newer fix than the one held. */
  newer: number;
  /** Units with exactly the fix that is held. */
  repeated: number;
}

type NormSettings = Pick<LiveSettings, 'anomalyMinUnits' | 'anomalyShare' | 'norms'>;

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
export class FleetNorms {
  readonly #settings: NormSettings;
  readonly #pollIntervalMs: number;
  readonly #clock: Clock;
  #answers = 0;
  #readAtMs: number | null = null;
  #intervals = 1;
  #last: NormFacts = { before: 0, records: 0, newer: 0, repeated: 0 };
  #largestShare = 0;
  #advances = 0;
  #meanNewer = 0;
  #stillAnswers = 0;
  #longestStill = 0;
  #isStill = false;

  constructor(settings: NormSettings, pollIntervalMs: number, clock: Clock) {
    this.#settings = settings;
    this.#pollIntervalMs = pollIntervalMs;
    this.#clock = clock;
  }

  /** Compares an answer with the norms. To be called once for each answer, before `learn`. */
  read(facts: NormFacts): Norms {
    const atMs = this.#clock.monotonicMs();
    this.#intervals =
      this.#readAtMs === null ? 1 : Math.max(1, (atMs - this.#readAtMs) / this.#pollIntervalMs);
    this.#readAtMs = atMs;
    this.#last = facts;
    const wasStill = this.#isStill;
    const stillBefore = this.#stillAnswers;
    this.#isStill = this.#judgeStill(facts);
    if (facts.newer > 0 && !wasStill) this.#longestStill = Math.max(this.#longestStill, stillBefore);
    return { mostDepartures: this.#readMostDepartures(facts.before), isStill: this.#isStill };
  }

  /** Learns from the last answer read, which was accepted. */
  learn(): void {
    this.#answers++;
    const { before, records, newer } = this.#last;
    if (before > this.#settings.anomalyMinUnits)
      this.#largestShare = Math.max(this.#largestShare, (before - records) / before / this.#intervals);
    if (this.#isStill) return;
    if (newer > 0) this.#advances++;
    const answers = Math.min(this.#settings.norms.advanceAnswers, this.#answers);
    this.#meanNewer += (newer / this.#intervals - this.#meanNewer) / answers;
  }

  #readMostDepartures(before: number): number {
    const { anomalyMinUnits, anomalyShare, norms } = this.#settings;
    if (before <= anomalyMinUnits) return Infinity;
    const prior = this.#answers < norms.youngAnswers ? norms.youngShare : norms.leastShare;
    const learned = Math.max(prior, this.#largestShare * norms.margin);
    const share = Math.min(norms.mostShare, learned) * this.#intervals;
    return Math.max(norms.leastDepartures, before * Math.min(share, 1 - anomalyShare));
  }

  #judgeStill({ before, records, newer, repeated }: NormFacts): boolean {
    const { advanceAnswers, advanceLeast, margin, missedAdvances } = this.#settings.norms;
    // Records without a usable fix do not count as repeated.
    this.#stillAnswers = newer > 0 || repeated < records / 2 ? 0 : this.#stillAnswers + 1;
    if (this.#isStill) return this.#stillAnswers > 0;
    return (
      before > this.#settings.anomalyMinUnits &&
      this.#advances >= advanceAnswers / 2 &&
      this.#meanNewer >= advanceLeast &&
      this.#stillAnswers > Math.max(1, this.#longestStill * margin) &&
      this.#stillAnswers * this.#meanNewer >= missedAdvances
    );
  }
}
