import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { createDatabaseWatch, type DatabaseState } from '@/lib/database/database-watch';
import { toCauseCode } from '@/lib/database/failure';

export interface AccountsDatabaseWatch {
  /** The last result, without waiting; an old result is refreshed in the background. */
  read: () => DatabaseState;
  /** Checks the database now. Never rejects. */
  check: () => Promise<void>;
  /** Whether it was ever reached: if not, this process cannot know any signed-in user. */
  wasReached: () => boolean;
}

/** Limits the queries of the public health endpoint. */
const CHECK_INTERVAL_MS = 5000;

/**
 * Checks whether the accounts database answers, at most once per `CHECK_INTERVAL_MS` and only while its state is
 * read.
 */
export const createAccountsDatabaseWatch = (options: {
  /** One query to the database. @throws if it does not answer */
  query: () => Promise<void>;
  clock: Clock;
}): AccountsDatabaseWatch => {
  const { query, clock } = options;
  const watch = createDatabaseWatch(clock);
  let wasReached = false;
  let checkedAtMs = -Infinity;
  let checking: Promise<void> | null = null;

  const runCheck = async (): Promise<void> => {
    try {
      await query();
      wasReached = true;
      watch.note('ok');
    } catch (error) {
      watch.note('away', toCauseCode(error));
    } finally {
      checkedAtMs = clock.monotonicMs();
      checking = null;
    }
  };
  const check = (): Promise<void> => (checking ??= runCheck());

  return {
    read: () => {
      if (clock.monotonicMs() - checkedAtMs >= CHECK_INTERVAL_MS) void check();
      return watch.read();
    },
    check,
    wasReached: () => wasReached,
  };
};
