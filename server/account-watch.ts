import 'server-only';
import type { Clock } from '@/lib/base/clock';
import type { AccountState } from '@/lib/status/server/server-status';
import type { CarrierAccount } from '@/lib/wire/fleet';
import type { Problem } from '@/lib/base/http/protocol';
import { toProblem } from '@/lib/access/respond';

type KnownAccount = Pick<AccountState, 'account' | 'problem'>;

/** More viewers do not cause more requests, whether the provider fails or answers. */
const REFRESH_MS = 60_000;

/** The cached account at once; reading it refreshes it in the background. */
export const createAccountWatch = (options: {
  read: () => Promise<CarrierAccount>;
  clock: Clock;
  /** Called when requests begin to fail, or fail for another reason. */
  onProblem: (problem: Problem, error: unknown) => void;
}): (() => KnownAccount) => {
  const { read, clock, onProblem } = options;
  let known: KnownAccount = { account: null, problem: null };
  let refreshAtMs = -Infinity;
  let isRefreshing = false;

  const refresh = async (): Promise<void> => {
    isRefreshing = true;
    try {
      known = { account: await read(), problem: null };
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code !== known.problem?.code) onProblem(problem, error);
      // The last account stays: carriers do not vanish because a call fails.
      known = { ...known, problem };
    }
    refreshAtMs = clock.monotonicMs() + REFRESH_MS;
    isRefreshing = false;
  };

  return () => {
    if (!isRefreshing && clock.monotonicMs() >= refreshAtMs) void refresh();
    return known;
  };
};
