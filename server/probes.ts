import 'server-only';
import { toProblem } from '@/lib/access/respond';
import type { Clock } from '@/lib/base/clock';
import type { Problem } from '@/lib/base/http/protocol';
import { createProbe } from '@/lib/base/probe';
import { createDatabaseHealth, type DatabaseState } from '@/lib/database/database-health';
import { toCauseCode } from '@/lib/database/failure';
import type { AccountState } from '@/lib/status/server/server-status';
import type { CarrierAccount } from '@/lib/wire/fleet';

type KnownAccount = Pick<AccountState, 'account' | 'problem'>;

/** More viewers do not cause more requests, whether the provider fails or answers. */
const ACCOUNT_EVERY_MS = 60_000;

/** The cached account at once; reading it refreshes it in the background. */
export const createAccountProbe = (options: {
  read: () => Promise<CarrierAccount>;
  clock: Clock;
  /** Called when requests begin to fail, or fail for another reason. */
  onProblem: (problem: Problem, error: unknown) => void;
}): (() => KnownAccount) => {
  const { read, clock, onProblem } = options;
  let known: KnownAccount = { account: null, problem: null };
  const refresh = async (): Promise<void> => {
    try {
      known = { account: await read(), problem: null };
    } catch (error) {
      const problem = toProblem(error);
      if (problem.code !== known.problem?.code) onProblem(problem, error);
      // The last account stays: carriers do not vanish because a call fails.
      known = { ...known, problem };
    }
  };
  const probe = createProbe(refresh, { everyMs: ACCOUNT_EVERY_MS, clock });
  return () => {
    probe.refresh();
    return known;
  };
};

/** Limits the queries of the public health endpoint. */
const DATABASE_EVERY_MS = 5000;

/** Whether the application's database answers, checked at most every five seconds and only while its state is read. */
export const createDatabaseProbe = (options: {
  /** One query to the database. @throws if it does not answer */
  query: () => Promise<void>;
  clock: Clock;
}) => {
  const { query, clock } = options;
  const health = createDatabaseHealth(clock);
  let wasReached = false;
  const run = async (): Promise<void> => {
    try {
      await query();
      wasReached = true;
      health.note('ok');
    } catch (error) {
      health.note('away', toCauseCode(error));
    }
  };
  const probe = createProbe(run, { everyMs: DATABASE_EVERY_MS, clock });
  return {
    /** The last result, without waiting; an old result is refreshed in the background. */
    read: (): DatabaseState => {
      probe.refresh();
      return health.read();
    },
    /** Checks the database now. Never rejects. */
    check: probe.check,
    /** Whether it was ever reached: if not, this process cannot know any signed-in user. */
    wasReached: () => wasReached,
  };
};
export type DatabaseProbe = ReturnType<typeof createDatabaseProbe>;
