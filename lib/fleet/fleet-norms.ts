import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { LiveSettings } from './settings';
import type { MotionSettings } from '@/lib/motion/settings';
import type { UnitRecord } from './unit/unit-record';

/** The newest answer compared with the fleet's norms. */
export interface Norms {
  /** The most records by which a list may be shorter than the last accepted one; Infinity for a small fleet. */
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

/** Habits that most units of a fleet show of its provider, which are no fault of one of them. */
interface ProviderHabits extends Pick<MotionSettings, 'usualDelayMs' | 'heldPlaceMs'> {
  /** Whether enough is known of its units to tell a late provider from a late unit. */
  isDelayKnown: boolean;
}

/** So many units of a fleet do not have the same fault by chance. */
const LEAST_UNITS = 3;
/** The least records in a row with which each of fewer units has to be as late: a bad network would vary. */
const LEAST_RECORDS = 20;
/** A shorter delay is within what a unit may be late anyway. */
const LEAST_DELAY_MS = 2 * 60_000;
/** The delay is rounded down to this, so that statuses do not change with each answer. */
const DELAY_STEP_MS = 30_000;
/** Evidence that is older shows no present habit. */
const DELAYED_RECENTLY_MS = 10 * 60_000;
const HELD_RECENTLY_MS = 60 * 60_000;
/** The share of driving units with a held position from which the provider counts as holding them. */
const HELD_SHARE = 1 / 4;

/** Whether the newest record of a unit, dated by its own time, was received lately. */
const isHeardLately = ({ history: { held, heldLagMs, receipt } }: UnitRecord, nowMs: number): boolean =>
  held?.fixAtMs != null && receipt === null && nowMs - held.fixAtMs - heldLagMs <= DELAYED_RECENTLY_MS;

/** The delay that all but a quarter of `heard` units have; `delaysMs` are those that are long. */
const toUsualDelayMs = (delaysMs: number[], heard: number): number => {
  const at = Math.floor(heard / 4) - (heard - delaysMs.length);
  if (at < 0) return 0;
  delaysMs.sort((a, b) => a - b);
  return Math.floor((delaysMs[at] ?? 0) / DELAY_STEP_MS) * DELAY_STEP_MS;
};

/** The habits of a provider at `nowMs`; what fewer than three units show is none, except a delay that does not vary. */
export const toHabits = (records: Iterable<UnitRecord | null>, nowMs: number): ProviderHabits => {
  const delaysMs: number[] = [];
  let [heard, steady, moving, held, heldPlaceMs] = [0, 0, 0, 0, 0];
  for (const record of records) {
    if (!record?.isListed) continue;
    const { delayMs } = record;
    if (delayMs !== null && isHeardLately(record, nowMs)) {
      heard++;
      if (record.alikeDelays >= LEAST_RECORDS) steady++;
      if (delayMs >= LEAST_DELAY_MS) delaysMs.push(delayMs);
    }
    const { heldPlace, phase } = record.history.state.motionState;
    const isHeld = heldPlace !== null && nowMs - heldPlace.untilMs <= HELD_RECENTLY_MS;
    if (isHeld || phase === 'moving') moving++;
    if (!isHeld) continue;
    held++;
    heldPlaceMs = Math.max(heldPlaceMs, heldPlace.spanMs);
  }
  const isDelayKnown = heard >= LEAST_UNITS || (heard > 0 && steady === heard);
  return {
    usualDelayMs: isDelayKnown ? toUsualDelayMs(delaysMs, heard) : 0,
    heldPlaceMs: held < Math.max(LEAST_UNITS, moving * HELD_SHARE) ? 0 : heldPlaceMs,
    isDelayKnown,
  };
};
