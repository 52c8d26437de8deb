import 'server-only';
import type { FeedProblem } from '@/lib/wire/fleet';

/** A problem that a feed has or had; a run of the same problem counts once. */
export interface PastProblem extends FeedProblem {
  /** When it ended; null while it lasts. */
  untilMs: number | null;
  /** How many answers had it. */
  times: number;
}

export interface ProblemRing {
  /** The newest answer's problem, or that it had none. */
  note(problem: FeedProblem | null, nowMs: number): void;
  /** The last ones, newest first. */
  list(): readonly PastProblem[];
}

const KEPT = 10;

/** Keeps the last problems of a feed for diagnosis. */
export const createProblemRing = (): ProblemRing => {
  let ring: readonly PastProblem[] = [];
  return {
    note: (problem, nowMs) => {
      const [last, ...rest] = ring;
      const isSame = last?.untilMs === null && last.kind === problem?.kind;
      if (isSame) ring = [{ ...last, ...problem, times: last.times + 1 }, ...rest];
      else {
        const ended = last?.untilMs === null ? [{ ...last, untilMs: nowMs }, ...rest] : ring;
        ring = problem ? [{ ...problem, untilMs: null, times: 1 }, ...ended].slice(0, KEPT) : ended;
      }
    },
    list: () => ring,
  };
};
