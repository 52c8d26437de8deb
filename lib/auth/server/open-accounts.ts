import 'server-only';
import { openDatabase } from '@/lib/postgres/database';
import type { Database, StorageLog } from '@/lib/postgres/database';
import { migrateDatabase } from '@/lib/postgres/migrate';
import { AccountsUnavailableError } from './errors';

/** Another attempt at the database is not made sooner than this. */
const RETRY_AFTER_MS = 3000;

export interface AccountsDatabase {
  /** The database, up to date. @throws AccountsUnavailableError */
  open: () => Promise<Database>;
  close: () => Promise<void>;
}

/** The application's tables: opened and migrated when first needed and, where that fails, again as they are needed again. */
export const createAccountsDatabase = (options: {
  /** Null where none is configured. */
  databaseUrl: string | null;
  elapsed: () => number;
  log: StorageLog;
  /** Called once, with the database that was opened. */
  onOpened: (database: Database) => Promise<void>;
  onFailed: (error: unknown) => void;
}): AccountsDatabase => {
  const { databaseUrl, elapsed, log, onOpened, onFailed } = options;
  let opening: Promise<Database> | null = null;
  let failed: { atMs: number; cause: unknown } | null = null;
  let isClosed = false;

  const start = async (url: string): Promise<Database> => {
    await migrateDatabase(url);
    const database = openDatabase(url, log);
    try {
      await onOpened(database);
      return database;
    } catch (error) {
      await database.pool.end();
      throw error;
    }
  };

  const open = async (): Promise<Database> => {
    const words = 'The database of accounts cannot be opened.';
    if (databaseUrl === null || isClosed) throw new AccountsUnavailableError(words);
    if (opening === null) {
      if (failed !== null && elapsed() - failed.atMs < RETRY_AFTER_MS) {
        throw new AccountsUnavailableError(words, { cause: failed.cause });
      }
      opening = start(databaseUrl);
      opening.catch((cause: unknown) => {
        failed = { atMs: elapsed(), cause };
        opening = null;
        onFailed(cause);
      });
    }
    try {
      return await opening;
    } catch (cause) {
      throw new AccountsUnavailableError(words, { cause });
    }
  };

  return {
    open,
    close: async () => {
      isClosed = true;
      const database = await opening?.catch(() => null);
      await database?.pool.end();
    },
  };
};
