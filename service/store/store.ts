import { TRACKING_PART, openDatabase, type Executor } from '@/lib/database/database';
import { MigrationsMissingError, migrateDatabase } from '@/lib/database/migrate';
import { silentLog, type ServiceLog } from '../log';
import { createCarrierStore } from './carriers';
import { createIngestTokenStore } from './credentials/ingest-tokens';
import { createKeyStore } from './credentials/keys';
import { createUseLog } from './credentials/use-log';
import { StoreOpenError } from './errors';
import { createFixStore } from './fixes/fixes';
import { createDeviceStore, createPositionStore } from './fixes/positions';
import { createRefusalStore } from './fixes/refusals';
import { startRetention } from './fixes/retention';
import { createVehicleStore } from './vehicles';

export interface StoreOptions {
  /** postgres://user:password@host:port/database */
  databaseUrl: string;
  now: () => number;
  log?: ServiceLog;
  /** Age at which fixes are deleted, counted from their arrival; absent: never. Current positions stay. */
  retentionDays?: number;
}

/**
 * Opens the store and brings its database up to date.
 *
 * @throws StoreOpenError when the database cannot be reached or migrated; its cause has the reason.
 * @throws MigrationsMissingError when the working folder is not Linehaul's.
 */
export const openStore = async (options: StoreOptions) => {
  const { databaseUrl, now, log = silentLog, retentionDays } = options;
  const database = openDatabase(databaseUrl, TRACKING_PART, log);
  try {
    await migrateDatabase(databaseUrl, TRACKING_PART);
  } catch (error) {
    await database.pool.end();
    if (error instanceof MigrationsMissingError) throw error;
    throw new StoreOpenError('The tracking database could not be opened.', { cause: error });
  }
  const { pool } = database;
  const keyUses = createUseLog({ pool, table: 'api_key_secrets', now, log });
  const tokenUses = createUseLog({ pool, table: 'ingest_tokens', now, log });
  const refusals = createRefusalStore(database, now, log);
  const retention = retentionDays === undefined ? null : startRetention({ pool, now, retentionDays, log });
  return {
    carriers: createCarrierStore(database),
    vehicles: createVehicleStore(database),
    devices: createDeviceStore(database),
    keys: createKeyStore(database, now, keyUses),
    ingestTokens: createIngestTokenStore(database, now, tokenUses),
    fixes: createFixStore(database, now),
    positions: createPositionStore(database),
    refusals,
    /** Runs several changes in one transaction, rolled back where `work` rejects. */
    inTransaction: <T>(work: (tx: Executor) => Promise<T>): Promise<T> => database.orm.transaction(work),
    /** Version of PostgreSQL, such as "18.4". */
    async readServerVersion(): Promise<string> {
      const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
      return rows[0]?.server_version ?? 'unknown';
    },
    async close(): Promise<void> {
      await retention?.stop();
      await Promise.all([keyUses.close(), tokenUses.close(), refusals.close()]);
      await pool.end();
    },
  };
};

/** The data of the tracking service in PostgreSQL. Several processes may open it at once. */
export type Store = Awaited<ReturnType<typeof openStore>>;
