import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { signInAsManager } from '@/e2e/support/session';
import { openPostgres } from '@/lib/database/embedded/embedded-postgres';
import { createScratchFolder, removeScratchFolder } from '@/testing/scratch';
import { POLL_MS } from './plan';

const root = fileURLToPath(new URL('../../', import.meta.url));
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A program of the bench on a port of its own. */
export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** One of the bench's own programs, which sends its port when it listens. */
export const startProgram = async (name: string, args: readonly (string | number)[]): Promise<Running> => {
  const child = fork(here(name), args.map(String), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const [port] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error(`${name} ended before it listened.`))),
  ])) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
};

/** Requests for the units of each USDOT number that a provider of the bench has got. */
export const readPolls = async (providerUrl: string): Promise<Record<string, number>> =>
  (await (await fetch(`${providerUrl}/polls`)).json()) as Record<string, number>;

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

const loopSchema = z.object({ p99Ms: z.number(), maxMs: z.number(), rssBytes: z.number() });
export type LoopReading = z.infer<typeof loopSchema>;

export interface RunningApplication extends Running {
  /** Of a manager's session, as "name=value". */
  cookie: string;
  databaseUrl: string;
  /** Delay of the event loop since the last reset, and memory, at most a second old. */
  readLoop(): LoopReading;
  resetLoop(): void;
  /** Whether it ended before it was stopped. */
  hasEnded(): boolean;
}

export interface ApplicationOptions {
  /** Settings beside those that every bench has. */
  variables?: Record<string, string>;
  /** Modules to load before the server. */
  imports?: readonly string[];
  /** The file for all that it prints; by default its errors go where the bench's go. */
  log?: string;
  /** Whether PostgreSQL waits for its disk, as it does for users. */
  isDurable?: boolean;
  /** Fills the database and LINEHAUL_DATA_DIR before the server starts. */
  prepare?: (databaseUrl: string, dataFolder: string) => Promise<void>;
}

const READY_MS = 60_000;

const untilWell = async (url: string): Promise<void> => {
  const giveUpAt = Date.now() + READY_MS;
  while (Date.now() < giveUpAt) {
    const answer = await fetch(`${url}/api/health`).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(100);
  }
  throw new Error(`The application was not well within ${READY_MS} ms.`);
};

/** The production build, as one process that reads a provider. */
export const startApplication = async (
  providerUrl: string,
  { variables = {}, imports = [], log, isDurable = false, prepare }: ApplicationOptions = {},
): Promise<RunningApplication> => {
  const folder = createScratchFolder('linehaul-bench-');
  const postgres = await openPostgres({
    root: folder,
    dataFolder: folder,
    purpose: 'a bench',
    durable: isDurable,
  });
  await prepare?.(postgres.databaseUrl, folder);
  const loopFile = join(folder, 'loop.json');
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ['--conditions=react-server', '.next/linehaul/main.mjs'];
  const loaded = [here('watch-loop.mjs'), ...imports].flatMap((module) => ['--import', module]);
  const printed = log ?? join(folder, 'application.log');
  const output = openSync(printed, 'w');
  const child = spawn(process.execPath, [...loaded, ...args], {
    cwd: root,
    env: {
      ...process.env,
      BENCH_LOOP_FILE: loopFile,
      TRACKING_BASE_URL: providerUrl,
      TRACKING_API_KEY: 'bench',
      TRACKING_PROVIDER_TOKEN: 'bench',
      POLL_INTERVAL_MS: String(POLL_MS),
      // One address plays a thousand browsers, and then drives the server as hard as it goes.
      CLIENT_REQUESTS_PER_S: '0',
      ...variables,
      DATABASE_URL: postgres.databaseUrl,
      LINEHAUL_DATA_DIR: folder,
      PORT: String(port),
      HOSTNAME: '127.0.0.1',
    },
    stdio: ['ignore', output, log === undefined ? 'inherit' : output],
  });
  closeSync(output);
  const ended = once(child, 'exit');
  await untilWell(url);
  while (!existsSync(loopFile)) await sleep(100);
  const cookie = await signInAsManager(url, () => readFileSync(printed, 'utf8'));
  return {
    url,
    pid: child.pid!,
    cookie,
    databaseUrl: postgres.databaseUrl,
    readLoop: () => loopSchema.parse(JSON.parse(readFileSync(loopFile, 'utf8'))),
    resetLoop: () => void child.kill('SIGUSR2'),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await postgres.stop();
      await removeScratchFolder(folder);
    },
  };
};
