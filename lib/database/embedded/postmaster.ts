import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, fchownSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessStart } from '@/lib/base/process/lock.mjs';
import type { Binaries } from './binaries';
import { spawnIdentity, type Cluster, type OpenOptions } from './cluster';
import { PostgresStartError, type DataDirectory } from './data-directory';

const HOST = '127.0.0.1';
/** Recovery after a crash replays at most max_wal_size, which takes seconds on a slow disk. */
const READY_WITHIN_MS = 120_000;
/** How long the remains of a killed server may keep the folder busy. */
const FREED_WITHIN_MS = 15_000;
/** A fast shutdown writes a checkpoint; only a stuck one is cut short, and the next start repairs it. */
const FAST_STOP_WITHIN_MS = 10_000;
/** How long a server that has shut down may take to leave the process list. */
const EXIT_WITHIN_MS = 5000;
const CHECK_INTERVAL_MS = 20;

/** Settings for a small machine that shares its cores with the application; durability is not reduced. */
const SETTINGS = {
  listen_addresses: HOST,
  unix_socket_directories: '',
  max_connections: 60,
  shared_buffers: '64MB',
  // Half an hour of 10,000 units is sorted in memory.
  work_mem: '16MB',
  max_wal_size: '256MB',
  wal_level: 'minimal',
  max_wal_senders: 0,
  max_logical_replication_workers: 0,
  io_method: 'sync',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  // Statements may carry confidential values that do not belong in a log.
  log_min_error_statement: 'panic',
  log_parameter_max_length: 0,
  log_error_verbosity: 'terse',
};

const THROWAWAY_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Several applications share it, each with its own pools.
  max_connections: 200,
};

export interface Postmaster {
  pid: number;
  port: number;
  /** Resolves with the exit code once it has ended, for any reason. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
}

/** A port of this machine on which no program listens now. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

/** The lines of postmaster.pid: the process is the first, its state ("ready") the eighth. */
const readPidFile = ({ folder }: Cluster): { pid: number; state: string } | null => {
  const path = join(folder, 'postmaster.pid');
  if (!existsSync(path)) return null;
  const lines = readFileSync(path, 'utf8').split('\n');
  return { pid: Number(lines[0]), state: lines[7]?.trim() ?? '' };
};

const readCommandLine = (pid: number): string => {
  if (process.platform === 'linux') {
    const path = `/proc/${pid}/cmdline`;
    return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\0', ' ') : '';
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
};

/** Whether a process is a PostgreSQL on this folder, and not another process with a reused pid. */
const isPostmasterOf = (pid: number, { folder }: Cluster): boolean =>
  pid > 0 && readProcessStart(pid) !== null && readCommandLine(pid).includes(folder);

/** Ends a PostgreSQL whose supervisor was killed, and removes a dead one's files; the caller holds the folder's lock. */
export const stopOrphan = async (
  cluster: Cluster,
  { pgCtl }: Binaries,
  directory: DataDirectory,
  say: (line: string) => void,
): Promise<void> => {
  const found = readPidFile(cluster);
  if (!found) return;
  if (!isPostmasterOf(found.pid, cluster)) {
    // PostgreSQL would mistake any process of this user with that pid for its predecessor.
    rmSync(join(cluster.folder, 'postmaster.pid'), { force: true });
    return;
  }
  say(`PostgreSQL of an earlier run (process ${found.pid}) is stopped first`);
  const args = ['stop', '-D', cluster.folder, '-m', 'fast', '-w', '-t', '30', '-s'];
  const child = spawn(pgCtl, args, { ...spawnIdentity(directory), stdio: 'ignore' });
  await new Promise((resolve) => child.on('error', resolve).on('close', resolve));
  // pg_ctl watches the pid file, which is removed just before the process ends.
  for (
    let waited = 0;
    isPostmasterOf(found.pid, cluster) && waited < EXIT_WITHIN_MS;
    waited += CHECK_INTERVAL_MS
  )
    await sleep(CHECK_INTERVAL_MS);
  if (isPostmasterOf(found.pid, cluster))
    throw new PostgresStartError(
      `A PostgreSQL of an earlier run (process ${found.pid}) does not stop. End it, then start again.`,
    );
};

const spawnPostmaster = (
  cluster: Cluster,
  binaries: Binaries,
  directory: DataDirectory,
  port: number,
  durable: boolean,
) => {
  const settings = { ...SETTINGS, ...(durable ? {} : THROWAWAY_SETTINGS), port };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  // A file, not a pipe: the server outlives a supervisor that is killed, and must still be able to write.
  const log = openSync(join(directory.folder, 'log'), 'w', 0o600);
  if (directory.account) fchownSync(log, directory.account.uid, directory.account.gid);
  const child = spawn(binaries.postgres, ['-D', cluster.folder, ...args], {
    ...spawnIdentity(directory),
    // In its own process group: a Ctrl-C on the terminal must not reach it before its clients have ended.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  return child;
};

const readLog = (directory: DataDirectory): string =>
  readFileSync(join(directory.folder, 'log'), 'utf8').trim();

/** Immediate start failures that resolve by themselves: a port just taken, children of a killed server. */
const isTransient = (log: string): boolean =>
  /could not bind|pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(log);

const waitUntilReady = async (
  child: ChildProcess,
  ended: Promise<unknown>,
  cluster: Cluster,
): Promise<boolean> => {
  let running = true;
  void ended.then(() => (running = false));
  for (let waited = 0; waited < READY_WITHIN_MS; waited += CHECK_INTERVAL_MS) {
    if (!running) return false;
    const found = readPidFile(cluster);
    if (found?.pid === child.pid && found?.state === 'ready') return true;
    await Promise.race([sleep(CHECK_INTERVAL_MS), ended]);
  }
  child.kill('SIGQUIT');
  return false;
};

const stopPostmaster = async (child: ChildProcess, ended: Promise<unknown>): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  const giveUp = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_WITHIN_MS);
  await ended;
  clearTimeout(giveUp);
};

/**
 * Starts PostgreSQL on a cluster, on a port of 127.0.0.1 (null: any that is free), and waits until it accepts connections.
 * @throws PostgresStartError with the end of its log when it does not come up
 */
export const startPostmaster = async (
  cluster: Cluster,
  binaries: Binaries,
  directory: DataDirectory,
  { port: fixedPort, durable, signal }: Pick<OpenOptions, 'durable' | 'signal'> & { port: number | null },
): Promise<Postmaster> => {
  for (let waited = 0; ; waited += 500) {
    const port = fixedPort ?? (await findFreePort());
    const child = spawnPostmaster(cluster, binaries, directory, port, durable);
    const ended = new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(null));
      child.on('exit', (code) => resolve(code));
    });
    const giveUp = () => void child.kill('SIGINT');
    signal?.addEventListener('abort', giveUp);
    const isReady = await waitUntilReady(child, ended, cluster);
    signal?.removeEventListener('abort', giveUp);
    if (isReady) return { pid: child.pid!, port, ended, stop: () => stopPostmaster(child, ended) };
    const log = readLog(directory);
    if (!isTransient(log) || waited >= FREED_WITHIN_MS) {
      const last = log.split('\n').slice(-5).join('\n  ');
      throw new PostgresStartError(
        `PostgreSQL did not start on ${cluster.folder}:\n  ${last || 'it said nothing'}`,
      );
    }
    await sleep(500);
  }
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

interface SupervisorOptions {
  /** The running server; null if it could not be started. */
  first: Postmaster | null;
  /** Restarts it at its known address. Aborted when it is no longer wanted. */
  start: (signal: AbortSignal) => Promise<Postmaster>;
  say: (line: string) => void;
  onStarted: (pid: number) => void;
  /** Delay before a start in ms, by the number of failures in a row. */
  toPauseMs?: (failures: number) => number;
}

interface Supervisor {
  stop(): Promise<void>;
}

const doublePause = (failures: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);

/** Restarts a PostgreSQL whenever it ends by itself or fails to start, until it is stopped. */
export const supervisePostmaster = (options: SupervisorOptions): Supervisor => {
  const { start, say, onStarted, toPauseMs = doublePause } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let current = options.first;
  let failures = 0;
  let lastLine = '';

  const sayOnce = (line: string): void => {
    if (line !== lastLine) say(line);
    lastLine = line;
  };

  const untilEnded = async ({ ended }: Postmaster): Promise<void> => {
    await ended;
    if (signal.aborted) return;
    current = null;
    sayOnce('PostgreSQL ended unexpectedly. Linehaul goes on without it, and starts it again');
  };

  const startAgain = async (): Promise<void> => {
    try {
      await sleep(toPauseMs(failures), undefined, { signal });
      current = await start(signal);
      failures = 0;
      onStarted(current.pid);
      sayOnce(`PostgreSQL runs again (process ${current.pid})`);
    } catch (error) {
      failures++;
      if (!signal.aborted) sayOnce(`${(error as Error).message}\nPostgreSQL is tried again until it starts`);
    }
  };

  const supervise = async (): Promise<void> => {
    while (!signal.aborted) {
      if (current === null) await startAgain();
      else await untilEnded(current);
    }
  };
  const supervised = supervise();

  return {
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await supervised;
      // A server that was still starting at the stop.
      await current?.stop();
    },
  };
};
