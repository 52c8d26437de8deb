import { HOUR_MS, MINUTE_MS } from '@/lib/base/time';
import { getOrMake } from '@/lib/base/maps';
import type { FoundBy } from './find-way';

/** The times before an arrival at which windows are graded, ms. */
export const LEADS_MS = [15 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS] as const;

/** The share of arrivals that lie in their window. */
export const WANTED_SHARE = 0.8;

/** The share of arrivals that come before a window, and after it. */
const MISSED_EACH = (1 - WANTED_SHARE) / 2;

/** Newest grades that a class keeps. */
const MOST_KEPT = 200;

/** Grades below which a class says too little alone. */
const FEW_GRADES = 12;

/** Whether a window was corrected by enough earlier ones to say how often such windows held. */
export const isGraded = ({ grades }: { grades: number }): boolean => grades >= FEW_GRADES;

/** How far one grade moves what is missed at an end: I. Gibbs and E. Candès use 0.005. */
const STEP = 0.03;

/** Without grades a window reaches from 0.7 to 1.7 times of what is expected: an assumption, wide on purpose. */
export const UNGRADED_FACTORS = { low: 0.7, high: 1.7 };

/** What of an estimate says how sure it is. */
export interface Graded {
  by: FoundBy;
  /** The truck stood when it made the fix. */
  isStanding: boolean;
  /** Stops of over ten minutes that are expected before it arrives, as their probability where that is below one. */
  stops: number;
  /** Driving, waits and rests, ms from the fix. */
  expectedMs: number;
}

/** One estimate and what became of it, both in ms from its fix. */
export interface Grade extends Graded {
  actualMs: number;
  /** Whether the arrival came before the window that was shown, in it or after it. */
  was: 'before' | 'within' | 'after';
}

/** The class of lead times that an expected time belongs to: the next of them, by ratio. */
export const leadClass = (expectedMs: number): number => {
  const next = LEADS_MS.findIndex(
    (leadMs, i) => expectedMs < Math.sqrt(leadMs * (LEADS_MS[i + 1] ?? Infinity)),
  );
  return next < 0 ? LEADS_MS.length - 1 : next;
};

const classOf = ({ by, isStanding, stops, expectedMs }: Graded): string =>
  `${by} ${leadClass(expectedMs)}${isStanding ? ' standing' : ''}${stops > 0.2 && stops < 0.8 ? ' may stop' : ''}`;

/** How far a window reaches, as factors of the expected time, and from how many grades that is known. */
interface Factors {
  low: number;
  high: number;
  grades: number;
}

class GradedClass {
  /** Logarithms of actual to expected time, oldest first. */
  readonly ratios: number[] = [];
  missedLow = MISSED_EACH;
  missedHigh = MISSED_EACH;
}

/** The share `of` of values, as conformal prediction counts it: for n values the (n + 1)-th part. */
const conformal = (sorted: readonly number[], share: number, side: 'low' | 'high'): number => {
  const rank = share * (sorted.length + 1);
  const index = side === 'low' ? Math.floor(rank) - 1 : sorted.length - Math.floor(rank);
  return sorted[Math.min(sorted.length - 1, Math.max(0, index))]!;
};

/**
 * Corrects windows by what became of earlier ones. The ratio of actual to expected time, of the newest grades of the same
 * kind of way and lead time, says how far a window has to reach (split conformal prediction: V. Vovk, A. Gammerman and
 * G. Shafer, "Algorithmic learning in a random world", Springer 2005). What is left out at each end follows the misses
 * there (I. Gibbs and E. Candès, "Adaptive conformal inference under distribution shift", NeurIPS 2021).
 */
export class ArrivalGrades {
  readonly #classes = new Map<string, GradedClass>();
  /** Factors by class, until the next grade. */
  readonly #factors = new Map<string, Factors>();

  add({ actualMs, was, ...estimate }: Grade): void {
    const ratio = Math.log(Math.max(1000, actualMs) / Math.max(1000, estimate.expectedMs));
    this.#factors.clear();
    const graded = getOrMake(this.#classes, classOf(estimate), () => new GradedClass());
    graded.ratios.push(ratio);
    if (graded.ratios.length > MOST_KEPT) graded.ratios.shift();
    const follow = (missed: number, isMiss: boolean): number =>
      Math.min(0.4, Math.max(0, missed + STEP * (MISSED_EACH - (isMiss ? 1 : 0))));
    graded.missedLow = follow(graded.missedLow, was === 'before');
    graded.missedHigh = follow(graded.missedHigh, was === 'after');
  }

  /** How far a window reaches, as factors of the expected time. */
  factorsFor(estimate: Graded): Factors {
    const key = classOf(estimate);
    return getOrMake(this.#factors, key, () => this.#findFactors(key, estimate.by));
  }

  #findFactors(key: string, by: FoundBy): Factors {
    const own = this.#classes.get(key);
    const ratios = own && own.ratios.length >= FEW_GRADES ? own.ratios : this.#ratiosOf(by);
    if (ratios.length < FEW_GRADES) {
      return { ...UNGRADED_FACTORS, grades: ratios.length };
    }
    const sorted = [...ratios].sort((a, b) => a - b);
    return {
      low: Math.exp(conformal(sorted, own?.missedLow ?? MISSED_EACH, 'low')),
      high: Math.exp(conformal(sorted, own?.missedHigh ?? MISSED_EACH, 'high')),
      grades: ratios.length,
    };
  }

  #ratiosOf(by: FoundBy): number[] {
    return [...this.#classes].flatMap(([key, { ratios }]) => (key.startsWith(`${by} `) ? ratios : []));
  }
}
