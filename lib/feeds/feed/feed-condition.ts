import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { UnitsAnswer } from '@/lib/tracking/client';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { FeedProblem, FeedState } from '@/lib/wire/fleet';
import type { Anomaly } from '@/lib/fleet/anomaly-check';
import type { LiveSettings } from '@/lib/fleet/settings';

/** A problem that a feed has or had; a run of the same problem counts once. */
export interface RetainedProblem extends FeedProblem {
  /** When it ended; null while it lasts. */
  untilMs: number | null;
  times: number;
}

const PROBLEMS_KEPT = 10;

/** The last problems of a feed, newest first, after an answer with this problem or with none. */
export const withProblem = (
  problems: readonly RetainedProblem[],
  problem: FeedProblem | null,
  nowMs: number,
): readonly RetainedProblem[] => {
  const [last, ...rest] = problems;
  if (last?.untilMs === null && last.kind === problem?.kind)
    return [{ ...last, ...problem, times: last.times + 1 }, ...rest];
  const ended = last?.untilMs === null ? [{ ...last, untilMs: nowMs }, ...rest] : problems;
  return problem ? [{ ...problem, untilMs: null, times: 1 }, ...ended].slice(0, PROBLEMS_KEPT) : ended;
};

const ALTERNATING = 'Its answers alternate; Linehaul shows the ones that fit what came before.';

/** An anomaly, and how answers went since it was found. */
interface AnomalyRun {
  kind: Anomaly['kind'];
  /** Answers in a row that have it, 0 after a good one; when that run began and when it was last found, monotonic ms. */
  run: number;
  runAtMs: number;
  lastAtMs: number;
  /** Answers in a row without any anomaly. */
  good: number;
  /** It recurred before the fleet was trusted again. */
  isAlternating: boolean;
}
const NO_RUN = { run: 0, runAtMs: 0, lastAtMs: 0, good: 0, isAlternating: false };

type ConditionSettings = Pick<
  LiveSettings,
  'anomalyHoldMs' | 'dropNoticeMs' | 'shownWaitMs' | 'steadyAnswers' | 'alternatingAnswers'
>;

/**
 * The condition of a feed: its problem and since when, and the size of the last accepted answer. The times
 * that are shown are of the wall clock, the durations monotonic.
 */
export class FeedCondition {
  readonly #settings: ConditionSettings;
  readonly #clock: Clock;
  #problems: readonly RetainedProblem[] = [];
  #fetchedAtMs: number | null = null;
  #activeUnits = 0;
  #records = 0;
  #lastListed = 0;
  #report: SalvageReport | null = null;
  #staleSinceMs: number | null = null;
  #nextAttemptAtMs: number | null = null;
  #problem: FeedProblem | null = null;
  #anomaly: AnomalyRun | null = null;

  constructor(settings: ConditionSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
  }

  /** Without the roster, which is read separately. */
  state(): Omit<FeedState, 'rosterVins' | 'alertsRevision'> {
    return {
      fetchedAtMs: this.#fetchedAtMs,
      staleSinceMs: this.#staleSinceMs,
      problem: this.#problem,
      nextAttemptAtMs: this.#nextAttemptAtMs,
      activeUnits: this.#activeUnits,
      droppedRecords: this.#report?.dropped ?? 0,
      repairedFields: this.#report?.repaired ?? 0,
    };
  }

  /** The dropped records and repaired fields of the last answer; null before the first. */
  get report(): SalvageReport | null {
    return this.#report;
  }

  get problem(): FeedProblem | null {
    return this.#problem;
  }

  get problems(): readonly RetainedProblem[] {
    return this.#problems;
  }

  /** Records of the last answer of usual length, and of the last that listed any. */
  before(): { before: number; lastListed: number } {
    return { before: this.#records, lastListed: this.#lastListed };
  }

  setProblem(next: FeedProblem | null): void {
    this.#anomaly = null;
    this.#note(next);
  }

  /**
   * Records the anomaly of an answer, or null; `isHeld` while the answer is quarantined. A notice stays until
   * `steadyAnswers` in a row over `anomalyHoldMs` have no anomaly, so that alternating answers give one notice.
   */
  noteAnomaly(found: Anomaly | null): { isNews: boolean; isHeld: boolean } {
    const atMs = this.#clock.monotonicMs();
    this.#nextAttemptAtMs = null;
    if (!found) {
      if (this.#anomaly === null || !this.#isLingering(this.#anomaly)) this.setProblem(null);
      return { isNews: false, isHeld: false };
    }
    const isNews = this.#anomaly?.kind !== found.kind;
    const anomaly = this.#anomaly === null || isNews ? { kind: found.kind, ...NO_RUN } : this.#anomaly;
    this.#anomaly = anomaly;
    if (anomaly.run === 0) {
      anomaly.isAlternating = !isNews;
      anomaly.runAtMs = atMs;
    }
    anomaly.run++;
    anomaly.good = 0;
    anomaly.lastAtMs = atMs;
    const { kind, detail } = found;
    const message = anomaly.isAlternating ? `${found.message} ${ALTERNATING}` : found.message;
    this.#note({ kind, message, detail, sinceMs: this.#clock.nowMs() });
    const isHeld = atMs - anomaly.runAtMs < found.holdMs;
    if (isHeld && (!anomaly.isAlternating || anomaly.run > this.#settings.alternatingAnswers))
      this.goStale(this.#problem?.sinceMs ?? this.#clock.nowMs());
    return { isNews, isHeld };
  }

  take(answer: UnitsAnswer): void {
    this.#fetchedAtMs = answer.answeredAtMs;
    this.#activeUnits = answer.units.length;
    const listed = this.#activeUnits + answer.unreadable;
    // A shorter list that was accepted is still compared with the longer one, so that its notice stays.
    if (!this.#isDropShown()) this.#records = listed;
    if (listed > 0) this.#lastListed = listed;
    this.#report = answer.report;
    this.#staleSinceMs = null;
  }

  planAttempt(delayMs: number): void {
    this.#nextAttemptAtMs = delayMs < this.#settings.shownWaitMs ? null : this.#clock.nowMs() + delayMs;
  }

  /** The clock was set back by this much: no recorded time may be in the future. */
  setBack(byMs: number): void {
    if (this.#fetchedAtMs !== null) this.#fetchedAtMs -= byMs;
    if (this.#staleSinceMs !== null) this.#staleSinceMs -= byMs;
    if (this.#nextAttemptAtMs !== null) this.#nextAttemptAtMs -= byMs;
    if (this.#problem !== null) this.#problem = { ...this.#problem, sinceMs: this.#problem.sinceMs - byMs };
  }

  /** The provider has failed, or has not answered, since then. */
  goStale(sinceMs: number): void {
    this.#staleSinceMs ??= sinceMs;
  }

  #note(next: FeedProblem | null): void {
    const before = this.#problem;
    this.#problem = next && before?.kind === next.kind ? { ...next, sinceMs: before.sinceMs } : next;
    this.#problems = withProblem(this.#problems, this.#problem, this.#clock.nowMs());
  }

  /** True while too few answers were good since the last anomaly. */
  #isLingering(held: AnomalyRun): boolean {
    held.run = 0;
    held.good++;
    const { steadyAnswers, anomalyHoldMs } = this.#settings;
    return held.good < steadyAnswers || this.#clock.monotonicMs() - held.lastAtMs < anomalyHoldMs;
  }

  #isDropShown(): boolean {
    if (this.#anomaly?.kind !== 'drop' || this.#anomaly.run === 0) return false;
    return this.#clock.monotonicMs() - this.#anomaly.runAtMs < this.#settings.dropNoticeMs;
  }
}
