import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { LockHeldError, acquireLock, readLockHolder } from './lock.mjs';
import type { Lock, LockHolder } from './lock.mjs';
import { findBinaries } from './postgres/binaries';
import { SUPERUSER, openCluster } from './postgres/cluster';
import { PostgresInUseError, PostgresStartError } from './postgres/errors';
import { openPlace } from './postgres/place';
import type { Place } from './postgres/place';
import { startPostmaster, stopOrphan } from './postgres/postmaster';

const DATABASE = 'linehaul';
/** How long to wait for a server that another process is still starting. */
const JOIN_WITHIN_MS = 30_000;

export interface PostgresOptions {
  /** The checkout; the database is its `.data/` unless LINEHAUL_DATA_DIR or `dataFolder` names another. */
  root: string;
  dataFolder?: string;
  /** What the lock says of its holder, for whom it turns away. */
  purpose?: string;
  /** False for a database that may be lost with the machine: a test run's. */
  durable?: boolean;
  say?: (line: string) => void;
  /** Aborted when nobody waits for the database any more: then opening it fails soon. */
  signal?: AbortSignal;
}

export interface RunningPostgres {
  databaseUrl: string;
  pid: number;
  /** Resolves when the server has ended, by stop() or by itself. */
  ended: Promise<number | null>;
  /** Shuts the server down cleanly and gives the folder free. */
  stop(): Promise<void>;
}

const findDataFolder = ({ root, dataFolder }: PostgresOptions): string =>
  dataFolder ?? (process.env.LINEHAUL_DATA_DIR || join(root, '.data'));

const lockPlace = (place: Place, purpose: string): Lock => {
  try {
    return acquireLock(join(place.folder, 'lock'), purpose);
  } catch (error) {
    if (!(error instanceof LockHeldError)) throw error;
    throw new PostgresInUseError(
      `The database in ${place.folder} is in use by ${error.purpose} (process ${error.pid}). End that first, ` +
        'or start this one from another checkout or with another LINEHAUL_DATA_DIR.',
      { cause: error },
    );
  }
};

const toUrl = (port: number, password: string, database: string): string =>
  `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}`;

const createDatabase = async (port: number, password: string): Promise<void> => {
  const client = new pg.Client({ connectionString: toUrl(port, password, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
};

const portFile = (place: Place): string => join(place.folder, 'port');

/** Written whole or not at all: a joining process must not read half a number. */
const writePort = (place: Place, port: number): void => {
  const path = portFile(place);
  writeFileSync(`${path}.new`, String(port));
  renameSync(`${path}.new`, path);
};

/**
 * Starts the embedded PostgreSQL of a checkout and takes its folder for this process.
 *
 * @throws PostgresInUseError when another process has it, PostgresStartError when it cannot be had
 */
export const openPostgres = async (options: PostgresOptions): Promise<RunningPostgres> => {
  const { purpose = 'Linehaul', durable = true, say = () => undefined, signal } = options;
  const place = openPlace(findDataFolder(options));
  const lock = lockPlace(place, purpose);
  const release = () => {
    rmSync(portFile(place), { force: true });
    lock.release();
  };
  try {
    rmSync(portFile(place), { force: true });
    const binaries = findBinaries(place, say);
    const cluster = await openCluster(place, binaries, { durable, say, signal });
    await stopOrphan(cluster, binaries, place, say);
    const postmaster = await startPostmaster(cluster, binaries, place, { durable, signal });
    try {
      await createDatabase(postmaster.port, cluster.password);
      writePort(place, postmaster.port);
    } catch (error) {
      await postmaster.stop();
      throw error;
    }
    const account = place.account ? ` as the user ${place.account.name}` : '';
    say(`PostgreSQL runs${account} with its files in ${place.folder}`);
    return {
      databaseUrl: toUrl(postmaster.port, cluster.password, DATABASE),
      pid: postmaster.pid,
      ended: postmaster.ended,
      stop: async () => {
        await postmaster.stop();
        release();
      },
    };
  } catch (error) {
    release();
    if (error instanceof PostgresStartError) throw error;
    const reason = (error as Error).message;
    throw new PostgresStartError(`The database in ${place.folder} cannot be opened: ${reason}`, {
      cause: error,
    });
  }
};

/**
 * Ends what still runs on a database that nobody owns any more, and removes its files for good.
 *
 * @throws PostgresInUseError when somebody does own it
 */
export const removePostgres = async (options: PostgresOptions): Promise<void> => {
  const place = openPlace(findDataFolder(options));
  const lock = lockPlace(place, 'removal');
  const folder = join(place.folder, 'cluster');
  try {
    const silent = () => undefined;
    await stopOrphan({ folder, password: '' }, findBinaries(place, silent), place, silent);
    rmSync(place.folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
};

const readPort = (place: Place): number | null => {
  try {
    return Number(readFileSync(portFile(place), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** The process that has the checkout's database now; null when none has. */
export const findPostgresOwner = (options: PostgresOptions): LockHolder | null =>
  readLockHolder(join(openPlace(findDataFolder(options)).folder, 'lock'));

/**
 * The embedded PostgreSQL that another process runs for this checkout, waiting for one that is starting;
 * null when none does.
 */
export const findRunningPostgres = async (
  options: PostgresOptions,
): Promise<{ databaseUrl: string } | null> => {
  const place = openPlace(findDataFolder(options));
  for (let waited = 0; waited < JOIN_WITHIN_MS; waited += 100) {
    if (!readLockHolder(join(place.folder, 'lock'))) return null;
    const port = readPort(place);
    if (port !== null) {
      const password = readFileSync(join(place.folder, 'password'), 'utf8');
      return { databaseUrl: toUrl(port, password, DATABASE) };
    }
    await sleep(100);
  }
  return null;
};
