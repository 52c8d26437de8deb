import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readVariable } from '@/lib/base/process/environment';
import {
  LockHeldError,
  acquireLock,
  readLockHolder,
  type Lock,
  type LockHolder,
} from '@/lib/base/process/lock.mjs';
import { findBinaries, type Binaries } from './binaries';
import { SUPERUSER, openCluster, type Cluster } from './cluster';
import {
  PostgresInUseError,
  PostgresStartError,
  openDataDirectory,
  type DataDirectory,
} from './data-directory';
import {
  findFreePort,
  startPostmaster,
  stopOrphan,
  type Postmaster,
  supervisePostmaster,
} from './postmaster';

const DATABASE = 'linehaul';
const JOIN_WITHIN_MS = 30_000;

export interface PostgresOptions {
  /** The checkout; the database is its `.data/` unless LINEHAUL_DATA_DIR or `dataFolder` names another. */
  root: string;
  dataFolder?: string;
  /** The holder's purpose in the lock, for the message to a process that is refused. */
  purpose?: string;
  /** False for a database that may be lost with the machine: a test run's. */
  durable?: boolean;
  /** Restarts a server that ends by itself or does not start on existing data, at the same address. */
  supervise?: { onStarted: (pid: number) => void };
  say?: (line: string) => void;
  /** Aborted when the database is no longer needed: then opening it fails soon. */
  signal?: AbortSignal;
}

export interface RunningPostgres {
  databaseUrl: string;
  /** The server's process; null until a supervised one has started. */
  pid: number | null;
  /** Resolves when the first server has ended, by stop() or by itself. */
  ended: Promise<number | null>;
  /** Shuts the server down cleanly and releases the folder. */
  stop(): Promise<void>;
}

interface ServerPlan {
  directory: DataDirectory;
  binaries: Binaries;
  cluster: Cluster;
  durable: boolean;
  say: (line: string) => void;
}

const findDataFolder = ({ root, dataFolder }: PostgresOptions): string =>
  dataFolder ?? readVariable(process.env, 'LINEHAUL_DATA_DIR') ?? join(root, '.data');

const lockDirectory = (directory: DataDirectory, purpose: string): Lock => {
  try {
    return acquireLock(join(directory.folder, 'lock'), purpose);
  } catch (error) {
    if (!(error instanceof LockHeldError))
      throw new PostgresStartError(
        `The folder of the database cannot be written (${(error as Error).message}). ` +
          'Make room on its disk or let this user write there, or set LINEHAUL_DATA_DIR to another folder.',
        { cause: error },
      );
    throw new PostgresInUseError(
      `The database in ${directory.folder} is in use by ${error.purpose} (process ${error.pid}). End that first, ` +
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

const portFile = (directory: DataDirectory): string => join(directory.folder, 'port');

/** Written atomically, because a joining process must not read half a number. */
const writePort = (directory: DataDirectory, port: number): void => {
  const path = portFile(directory);
  writeFileSync(`${path}.new`, String(port));
  renameSync(`${path}.new`, path);
};

/** Ends an earlier owner's server, and starts one that other processes can find. */
const startServer = async (
  { directory, binaries, cluster, durable, say }: ServerPlan,
  port: number | null,
  signal: AbortSignal | undefined,
): Promise<Postmaster> => {
  await stopOrphan(cluster, binaries, directory, say);
  const postmaster = await startPostmaster(cluster, binaries, directory, { port, durable, signal });
  try {
    await createDatabase(postmaster.port, cluster.password);
    writePort(directory, postmaster.port);
    return postmaster;
  } catch (error) {
    await postmaster.stop();
    throw error;
  }
};

/** Starts the server and, with `keep`, supervises it even if the first start fails. */
const runServer = async (
  plan: ServerPlan,
  { supervise, signal }: Pick<PostgresOptions, 'supervise' | 'signal'>,
): Promise<RunningPostgres> => {
  const { say, directory, cluster } = plan;
  const first = await startServer(plan, null, signal).catch((error: unknown) => {
    if (!supervise || signal?.aborted) throw error;
    say(`${(error as Error).message}\nLinehaul goes on without it, and tries again until it starts`);
    return null;
  });
  const account = directory.account ? ` as the user ${directory.account.name}` : '';
  if (first) say(`PostgreSQL runs${account} with its files in ${directory.folder}`);
  const port = first?.port ?? (await findFreePort());
  const start = (stopping: AbortSignal) => startServer(plan, port, stopping);
  const { stop } = supervise
    ? supervisePostmaster({ first, start, say, onStarted: supervise.onStarted })
    : first!;
  return {
    databaseUrl: toUrl(port, cluster.password, DATABASE),
    pid: first?.pid ?? null,
    ended: first?.ended ?? Promise.resolve(null),
    stop,
  };
};

/** Starts a checkout's PostgreSQL and locks its folder. @throws PostgresInUseError, PostgresStartError */
export const openPostgres = async (options: PostgresOptions): Promise<RunningPostgres> => {
  const { purpose = 'Linehaul', durable = true, say = () => undefined, signal } = options;
  const directory = openDataDirectory(findDataFolder(options));
  const lock = lockDirectory(directory, purpose);
  const release = () => {
    rmSync(portFile(directory), { force: true });
    lock.release();
  };
  try {
    rmSync(portFile(directory), { force: true });
    const binaries = findBinaries(directory, say);
    const cluster = await openCluster(directory, binaries, { durable, say, signal });
    const server = await runServer({ directory, binaries, cluster, durable, say }, options);
    return {
      ...server,
      stop: async () => {
        await server.stop();
        release();
      },
    };
  } catch (error) {
    release();
    if (error instanceof PostgresStartError) throw error;
    const reason = (error as Error).message;
    throw new PostgresStartError(`The database in ${directory.folder} cannot be opened: ${reason}`, {
      cause: error,
    });
  }
};

/** Ends the processes of a database without an owner, and removes its files for good. @throws PostgresInUseError */
export const removePostgres = async (options: PostgresOptions): Promise<void> => {
  const directory = openDataDirectory(findDataFolder(options));
  const lock = lockDirectory(directory, 'removal');
  const folder = join(directory.folder, 'cluster');
  try {
    const silent = () => undefined;
    await stopOrphan({ folder, password: '' }, findBinaries(directory, silent), directory, silent);
    rmSync(directory.folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
};

const readPort = (directory: DataDirectory): number | null => {
  try {
    return Number(readFileSync(portFile(directory), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** The process that owns the checkout's database now; null without one. */
export const findPostgresOwner = (options: PostgresOptions): LockHolder | null =>
  readLockHolder(join(openDataDirectory(findDataFolder(options)).folder, 'lock'));

/** The PostgreSQL that another process runs for this checkout, also one that is starting; null without one. */
export const findRunningPostgres = async (
  options: PostgresOptions,
): Promise<{ databaseUrl: string } | null> => {
  const directory = openDataDirectory(findDataFolder(options));
  for (let waited = 0; waited < JOIN_WITHIN_MS; waited += 100) {
    if (!readLockHolder(join(directory.folder, 'lock'))) return null;
    const port = readPort(directory);
    if (port !== null) {
      const password = readFileSync(join(directory.folder, 'password'), 'utf8');
      return { databaseUrl: toUrl(port, password, DATABASE) };
    }
    await sleep(100);
  }
  return null;
};
