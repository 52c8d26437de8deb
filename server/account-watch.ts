import 'server-only';
import type { AccountState } from '@/lib/http/runtime';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Problem } from '@/lib/wire/problem';
import { toProblem } from '@/lib/http/respond';

type KnownAccount = Pick<AccountState, 'account' | 'problem'>;

/** Neither a provider that fails nor one that answers is asked more often on account of who looks. */
const ASK_AGAIN_MS = 60_000;

/** What is known of the account at once; it is asked for in the background as it is looked at. */
export const createAccountWatch = (options: {
  read: () => Promise<CarrierAccount>;
  elapsed: () => number;
  /** Told when asking begins to fail, or fails for another reason. */
  onProblem: (problem: Problem, error: unknown) => void;
}): (() => KnownAccount) => {
  const { read, elapsed, onProblem } = options;
  let known: KnownAccount = { account: null, problem: null };
  let askAtMs = -Infinity;
  let isAsking = false;

  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      known = { account: await read(), problem: null };
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code !== known.problem?.code) onProblem(problem, error);
      // The account that was known stays: carriers do not vanish because a call fails.
      known = { ...known, problem };
    }
    askAtMs = elapsed() + ASK_AGAIN_MS;
    isAsking = false;
  };

  return () => {
    if (!isAsking && elapsed() >= askAtMs) void ask();
    return known;
  };
};
