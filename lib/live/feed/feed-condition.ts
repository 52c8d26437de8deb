import 'server-only';
import type { UnitsAnswer } from '@/lib/tracking/client';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { FeedProblem, FeedState } from '@/lib/wire/fleet';
import type { Doubt } from './anomaly-check';
import { createProblemRing } from './problem-ring';
import type { PastProblem } from './problem-ring';
import type { LiveSettings } from '../settings';

/** The condition of a feed: its problem and since when, and the size of the last accepted answer. */
export interface FeedCondition {
  /** Without the roster, which is read separately. */
  state(): Omit<FeedState, 'rosterVins'>;
  /** What was left out of the last answer or repaired in it; null before the first. */
  report(): SalvageReport | null;
  problem(): FeedProblem | null;
  problems(): readonly PastProblem[];
  /** Records of the last answer of usual length, and of the last that listed any. */
  before(): { before: number; lastListed: number };
  setProblem(next: FeedProblem | null): void;
  /**
   * Records the anomaly of an answer, or null; `isHeld` while the answer is quarantined. A notice stays until
   * `steadyAnswers` in a row over `doubtHoldMs` have no anomaly, so that alternating answers give one notice.
   */
  doubt(found: Doubt | null): { isNews: boolean; isHeld: boolean };
  /** An answer was accepted. */
  take(answer: UnitsAnswer): void;
  /** The provider is requested again in `delayMs`. */
  planAttempt(delayMs: number): void;
  /** The clock was set back by this much: no recorded time may be in the future. */
  setBack(byMs: number): void;
  /** The provider has failed, or has not answered, since then. */
  goStale(sinceMs: number): void;
}

const ALTERNATING = 'Its answers alternate; Linehaul shows the ones that fit what came before.';

/** An anomaly, and how answers went since it was found. */
interface Anomaly {
  kind: Doubt['kind'];
  /**
   * Answers in a row that have it, 0 after a good one; when that run began and when it was last found, by
   * `elapsed`.
   */
  run: number;
  runAtMs: number;
  lastAtMs: number;
  /** Answers in a row without any anomaly. */
  good: number;
  /** It recurred before the fleet was trusted again. */
  isAlternating: boolean;
}
const NO_RUN = { run: 0, runAtMs: 0, lastAtMs: 0, good: 0, isAlternating: false };

/** `now` gives the times that are shown, `elapsed` the durations, which setting the clock does not change. */
export const createFeedCondition = ({
  now,
  elapsed,
  settings,
}: {
  now: () => number;
  elapsed: () => number;
  settings: Pick<
    LiveSettings,
    'doubtHoldMs' | 'dropToldMs' | 'toldWaitMs' | 'steadyAnswers' | 'alternatingAnswers'
  >;
}): FeedCondition => {
  const ring = createProblemRing();
  let fetchedAtMs: number | null = null;
  let activeUnits = 0;
  let records = 0;
  let lastListed = 0;
  let report: SalvageReport | null = null;
  let staleSinceMs: number | null = null;
  let nextAttemptAtMs: number | null = null;
  let problem: FeedProblem | null = null;
  let anomaly: Anomaly | null = null;

  const note = (next: FeedProblem | null): void => {
    problem = next && problem?.kind === next.kind ? { ...next, sinceMs: problem.sinceMs } : next;
    ring.note(problem, now());
  };

  const setProblem = (next: FeedProblem | null): void => {
    anomaly = null;
    note(next);
  };

  /** True while too few answers were good since the last anomaly. */
  const isLingering = (held: Anomaly): boolean => {
    held.run = 0;
    held.good++;
    return held.good < settings.steadyAnswers || elapsed() - held.lastAtMs < settings.doubtHoldMs;
  };

  const isDropTold = (): boolean =>
    anomaly?.kind === 'drop' && anomaly.run > 0 && elapsed() - anomaly.runAtMs < settings.dropToldMs;

  const goStale = (sinceMs: number): void => {
    staleSinceMs ??= sinceMs;
  };

  return {
    state: () => ({
      fetchedAtMs,
      staleSinceMs,
      problem,
      nextAttemptAtMs,
      activeUnits,
      droppedRecords: report?.dropped ?? 0,
      repairedFields: report?.repaired ?? 0,
    }),
    report: () => report,
    problem: () => problem,
    problems: ring.list,
    setBack: (byMs) => {
      if (fetchedAtMs !== null) fetchedAtMs -= byMs;
      if (staleSinceMs !== null) staleSinceMs -= byMs;
      if (nextAttemptAtMs !== null) nextAttemptAtMs -= byMs;
      if (problem !== null) problem = { ...problem, sinceMs: problem.sinceMs - byMs };
    },
    before: () => ({ before: records, lastListed }),
    setProblem,
    goStale,
    planAttempt: (delayMs) => {
      nextAttemptAtMs = delayMs < settings.toldWaitMs ? null : now() + delayMs;
    },

    doubt: (found) => {
      const atMs = elapsed();
      nextAttemptAtMs = null;
      if (!found) {
        if (anomaly === null || !isLingering(anomaly)) setProblem(null);
        return { isNews: false, isHeld: false };
      }
      const isNews = anomaly?.kind !== found.kind;
      if (anomaly === null || isNews) anomaly = { kind: found.kind, ...NO_RUN };
      if (anomaly.run === 0) {
        anomaly.isAlternating = !isNews;
        anomaly.runAtMs = atMs;
      }
      anomaly.run++;
      anomaly.good = 0;
      anomaly.lastAtMs = atMs;
      const { kind, detail } = found;
      const message = anomaly.isAlternating ? `${found.message} ${ALTERNATING}` : found.message;
      note({ kind, message, detail, sinceMs: now() });
      const isHeld = atMs - anomaly.runAtMs < found.holdMs;
      if (isHeld && (!anomaly.isAlternating || anomaly.run > settings.alternatingAnswers))
        goStale(problem?.sinceMs ?? now());
      return { isNews, isHeld };
    },

    take: (answer) => {
      fetchedAtMs = answer.answeredAtMs;
      activeUnits = answer.units.length;
      const listed = activeUnits + answer.unreadable;
      // A shorter list that was accepted is still compared with the longer one, so that its notice stays.
      if (!isDropTold()) records = listed;
      if (listed > 0) lastListed = listed;
      report = answer.report;
      staleSinceMs = null;
    },
  };
};
