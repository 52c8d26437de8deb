import 'server-only';
import type { UnitsAnswer } from '@/lib/tracking/client';
import type { SalvageReport } from '@/lib/tracking/unit';
import type { FeedProblem, FeedState } from '@/lib/wire/fleet';
import type { Doubt } from './answer-doubt';
import { createProblemRing } from './problem-ring';
import type { PastProblem } from './problem-ring';

/** How a feed fares: what is wrong and since when, and what the last answer that was taken held. */
export interface FeedCondition {
  /** Without the roster, which is read by itself. */
  state(): Omit<FeedState, 'rosterVins'>;
  /** What had to be left out of the last answer or mended in it; null before the first. */
  report(): SalvageReport | null;
  problem(): FeedProblem | null;
  problems(): readonly PastProblem[];
  /** Records of the last answer, and of the last that listed any. */
  before(): { before: number; lastListed: number };
  setProblem(next: FeedProblem | null): void;
  /** Tells what is doubtful about an answer; `isHeld` while it is too doubtful to be taken. */
  doubt(found: Doubt | null): { isNews: boolean; isHeld: boolean };
  /** An answer was taken in. */
  take(answer: UnitsAnswer): void;
  /** The clock was set back by so much: no time that was written before may lie ahead of it. */
  setBack(byMs: number): void;
  /** The provider has failed, or has not answered, since then. */
  goStale(sinceMs: number): void;
}

/** `now` tells times as they are written, `elapsed` how long things last, whoever sets the clock. */
export const createFeedCondition = ({
  now,
  elapsed,
}: {
  now: () => number;
  elapsed: () => number;
}): FeedCondition => {
  const ring = createProblemRing();
  let fetchedAtMs: number | null = null;
  let activeUnits = 0;
  let records = 0;
  let lastListed = 0;
  let report: SalvageReport | null = null;
  let staleSinceMs: number | null = null;
  /** When an answer was first doubted, by `elapsed`. */
  let doubtedAtMs = 0;
  let problem: FeedProblem | null = null;

  const setProblem = (next: FeedProblem | null): void => {
    problem = next && problem?.kind === next.kind ? { ...next, sinceMs: problem.sinceMs } : next;
    ring.note(problem, now());
  };

  const goStale = (sinceMs: number): void => {
    staleSinceMs ??= sinceMs;
  };

  return {
    state: () => ({
      fetchedAtMs,
      staleSinceMs,
      problem,
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
      if (problem !== null) problem = { ...problem, sinceMs: problem.sinceMs - byMs };
    },
    before: () => ({ before: records, lastListed }),
    setProblem,
    goStale,

    doubt: (found) => {
      const isNews = found !== null && found.kind !== problem?.kind;
      setProblem(found && { kind: found.kind, message: found.message, detail: found.detail, sinceMs: now() });
      if (!found || !problem) return { isNews: false, isHeld: false };
      if (isNews) doubtedAtMs = elapsed();
      const isHeld = elapsed() - doubtedAtMs < found.holdMs;
      if (isHeld) goStale(problem.sinceMs);
      return { isNews, isHeld };
    },

    take: (answer) => {
      fetchedAtMs = answer.answeredAtMs;
      activeUnits = answer.units.length;
      records = activeUnits + answer.unreadable;
      if (records > 0) lastListed = records;
      report = answer.report;
      staleSinceMs = null;
    },
  };
};
