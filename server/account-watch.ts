import 'server-only';
import type { AccountState } from '@/lib/http/runtime';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Problem } from '@/lib/wire/problem';
import { toProblem } from '@/lib/http/respond';

type KnownAccount = Pick<AccountState, 'account' | 'problem'>;

/** More viewers do not cause more requests, whether the provider fails or answers. */
const ASK_AGAIN_MS = 60_000;

/** The cached account at once; reading it refreshes it in the background. */
export const createAccountWatch = (options: {
  read: () => Promise<CarrierAccount>;
  elapsed: () => number;
  /** Called when requests begin to fail, or fail for another reason. */
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
      // The last account stays: carriers do not vanish because a call fails.
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
