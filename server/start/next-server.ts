import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { toUrl } from './environment';
import type { Address } from './environment';

/** Requests under way may end; what is left after this is cut off. */
const STOP_WITHIN_MS = 2500;
const LOOK_EVERY_MS = 50;

/** What Next says of itself at its start, which our own line says better. */
const BANNER = /^\s*(▲|- (Local|Network|Environments|Experiments)|✓ (Starting|Ready|Running next\.config)|$)/;

export interface NextServer {
  /** Resolves with the exit code once it has ended, for whatever reason. */
  ended: Promise<number>;
  /** Resolves when it says that it is well; never when it ends before that. */
  answering: Promise<void>;
  /** The database was started again, as another process, which is to end with the server if we are killed. */
  tellPostgres(pid: number): void;
  stop(): Promise<void>;
}

export interface NextServerOptions {
  root: string;
  dev: boolean;
  address: Address;
  /** On top of our own environment. */
  env: Record<string, string>;
}

const copyLines = (from: Readable, to: Writable): void => {
  createInterface({ input: from }).on('line', (line) => {
    if (!BANNER.test(stripVTControlCharacters(line))) to.write(`${line}\n`);
  });
};

const spawnNext = ({ root, dev, address: { host, port }, env }: NextServerOptions): ChildProcess => {
  const preload = new URL('./exit-with-parent.mjs', import.meta.url).href;
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const args = [dev ? 'dev' : 'start', '--port', String(port), '--hostname', host];
  return spawn(process.execPath, ['--import', preload, next, ...args], {
    cwd: root,
    env: {
      ...process.env,
      ...env,
      NODE_ENV: dev ? 'development' : 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: String(port),
      HOSTNAME: host,
      LINEHAUL_SUPERVISED: '1',
    },
    // In a process group of its own: a Ctrl-C on the terminal is for us to answer, and in our order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
};

/** Ends the server and whatever it has started. */
const killGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    process.kill(-child.pid!, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** The status of an answer; null where nobody listens. */
const readStatus = async (url: string): Promise<number | null> => {
  try {
    const response = await fetch(url, { redirect: 'manual' });
    // Read to its end: an answer that is given up holds the server's shutdown back.
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
};

const waitUntilAnswering = async (url: string, child: ChildProcess): Promise<void> => {
  for (let told = false; child.exitCode === null && child.signalCode === null;) {
    const status = await readStatus(url);
    if (status === 200) return;
    if (status !== null && !told)
      process.stderr.write(`The web server is up, but ${url} answers ${status}.\n`);
    told ||= status !== null;
    await sleep(LOOK_EVERY_MS);
  }
  await new Promise(() => undefined);
};

/** Starts Next.js as a child that never outlives us. */
export const startNextServer = (options: NextServerOptions): NextServer => {
  const child = spawnNext(options);
  copyLines(child.stdout!, process.stdout);
  copyLines(child.stderr!, process.stderr);
  const ended = new Promise<number>((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`The web server cannot be started: ${error.message}\n`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
  return {
    ended,
    answering: waitUntilAnswering(`${toUrl(options.address)}/api/health`, child),
    tellPostgres: (pid) => {
      if (child.connected) child.send({ linehaulPostgresPid: pid });
    },
    stop: async () => {
      if (child.pid === undefined) return;
      killGroup(child, 'SIGTERM');
      const giveUp = setTimeout(() => killGroup(child, 'SIGKILL'), STOP_WITHIN_MS);
      await ended;
      clearTimeout(giveUp);
      killGroup(child, 'SIGKILL');
    },
  };
};
