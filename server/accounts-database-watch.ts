import 'server-only';
import { createDatabaseWatch, toCauseCode } from '@/lib/ops/database-watch';
import type { DatabaseState } from '@/lib/ops/database-watch';

export interface AccountsDatabaseWatch {
  /** As it was found when it was last tried, without waiting; an old finding is made anew meanwhile. */
  read: () => DatabaseState;
  /** Tries it now. Never rejects. */
  look: () => Promise<void>;
  /** Whether it was reached at any time: if not, this process knows nobody who is signed in. */
  wasReached: () => boolean;
}

/** However often a stranger asks for the server's health, the database is asked this often at most. */
const LOOK_EVERY_MS = 5000;

/** Looks from time to time whether the database of accounts answers, while somebody wants to know. */
export const createAccountsDatabaseWatch = (options: {
  /** One question to the database. @throws where it does not answer */
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
