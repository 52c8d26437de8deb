import 'server-only';
import type { Clock } from '@/lib/base/clock';
import { AppError, isAppError } from '@/lib/base/http/problems';
import { createLazy } from '@/lib/base/lazy';
import { APPLICATION_PART, openDatabase, type Database, type StorageLog } from './database';
import { migrateDatabase } from './migrate';

const RETRY_AFTER_MS = 3000;

export interface ApplicationDatabase {
  /** The migrated database. @throws AppError 'accounts-unavailable' */
  open: () => Promise<Database>;
  close: () => Promise<void>;
}

/** The application's tables: opened and migrated on first use; after a failure, the next use tries again. */
export const createApplicationDatabase = (options: {
  /** Null if none is configured. */
  databaseUrl: string | null;
  clock: Clock;
  log: StorageLog;
  onOpened: (database: Database) => Promise<void>;
  onFailed: (error: unknown) => void;
}): ApplicationDatabase => {
  const { databaseUrl, clock, log, onOpened, onFailed } = options;
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
  const lazy = createLazy(
    () =>
      start(databaseUrl!).catch((error: unknown) => {
        onFailed(error);
        throw error;
      }),
    { pauseMs: RETRY_AFTER_MS, clock },
  );

  const open = async (): Promise<Database> => {
    const message = 'The database of accounts cannot be opened.';
    if (databaseUrl === null || isClosed) throw new AppError('accounts-unavailable', { message });
    return lazy.open().catch((cause: unknown) => {
      throw new AppError('accounts-unavailable', { message, cause });
    });
  };

  return {
    open,
    close: async () => {
      isClosed = true;
      await lazy.close(({ pool }) => pool.end());
    },
  };
};

/** The result of `work`; every failure becomes an AppError. @throws AppError 'accounts-unavailable' */
export const orUnavailable = async <T>(message: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (isAppError(cause, 'accounts-unavailable')) throw cause;
    throw new AppError('accounts-unavailable', { message, cause });
  }
};
