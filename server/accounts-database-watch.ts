import 'server-only';
import { createDatabaseWatch, toCauseCode } from '@/lib/ops/database-watch';
import type { DatabaseState } from '@/lib/ops/database-watch';

export interface AccountsDatabaseWatch {
  /** The last result, without waiting; an old result is refreshed in the background. */
  read: () => DatabaseState;
  /** Checks the database now. Never rejects. */
  look: () => Promise<void>;
  /** Whether it was ever reached: if not, this process cannot know any signed-in user. */
  wasReached: () => boolean;
}

/** Limits the queries of the public health endpoint. */
const LOOK_EVERY_MS = 5000;

/**
 * Checks whether the accounts database answers, at most once per `LOOK_EVERY_MS` and only while its state is
 * read.
 */
export const createAccountsDatabaseWatch = (options: {
  /** One query to the database. @throws if it does not answer */
  ask: () => Promise<void>;
  now: () => number;
  elapsed: () => number;
}): AccountsDatabaseWatch => {
  const { ask, now, elapsed } = options;
  const watch = createDatabaseWatch({ now, elapsed });
  let wasReached = false;
  let lookedAtMs = -Infinity;
  let looking: Promise<void> | null = null;

  const lookAnew = async (): Promise<void> => {
    try {
      await ask();
      wasReached = true;
      watch.note('ok');
    } catch (error) {
      watch.note('away', toCauseCode(error));
    } finally {
      lookedAtMs = elapsed();
      looking = null;
    }
  };
  const look = (): Promise<void> => (looking ??= lookAnew());

  return {
    read: () => {
      if (elapsed() - lookedAtMs >= LOOK_EVERY_MS) void look();
      return watch.read();
    },
    look,
    wasReached: () => wasReached,
  };
};
