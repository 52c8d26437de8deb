import 'server-only';
import { AppError, isAppError } from '@/lib/http/problems';
import { APPLICATION_PART, openDatabase } from '@/lib/postgres/database';
import type { Database, StorageLog } from '@/lib/postgres/database';
import { migrateDatabase } from '@/lib/postgres/migrate';

/** Another attempt at the database is not made sooner than this. */
const RETRY_AFTER_MS = 3000;

export interface AccountsDatabase {
  /** The database, up to date. @throws AppError 'accounts-unavailable' */
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
    await migrateDatabase(url, APPLICATION_PART);
    const database = openDatabase(url, APPLICATION_PART, log);
    try {
      await onOpened(database);
      return database;
    } catch (error) {
      await database.pool.end();
      throw error;
    }
  };

  const open = async (): Promise<Database> => {
    const message = 'The database of accounts cannot be opened.';
    if (databaseUrl === null || isClosed) throw new AppError('accounts-unavailable', { message });
    if (opening === null) {
      if (failed !== null && elapsed() - failed.atMs < RETRY_AFTER_MS) {
        throw new AppError('accounts-unavailable', { message, cause: failed.cause });
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
      throw new AppError('accounts-unavailable', { message, cause });
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

/** What `work` resolves to; however it fails, accounts cannot be read now. @throws AppError 'accounts-unavailable' */
export const orUnavailable = async <T>(message: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (isAppError(cause, 'accounts-unavailable')) throw cause;
    throw new AppError('accounts-unavailable', { message, cause });
  }
};
