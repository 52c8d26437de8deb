import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgresOwner } from '@/lib/database/embedded/embedded-postgres';
import { toEnv, type Variables } from './programs';

const READY_WITHIN_MS = 90_000;

/** The processes of `npm start`, according to its data folder. */
export interface Running {
  supervisorPid: number;
  postgresPid: number;
  postgresPort: number;
}

/** An `npm start` with its own data folder. */
export interface NpmStart {
  port: number;
  /** Resolves with npm's exit code once every process that holds its output has ended. */
  ended: Promise<number | null>;
  output(): string;
  untilReady(): Promise<void>;
  readRunning(): Running;
  hasPostmasterFile(): boolean;
  isAlive(pid: number): boolean;
  /** Signals npm alone, as a supervisor does. */
  signal(signal: NodeJS.Signals): void;
  /** Signals npm and its process group, as a terminal does. */
  signalGroup(signal: NodeJS.Signals): void;
  /** Ends its remaining processes, whatever their state. */
  kill(): Promise<void>;
}

/** Whether a program listens on a port of this machine. */
export const listensOn = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
};

/** Runs `npm start` on the built tree; `prestart` and the caller are responsible for its being up to date. */
export const startNpm = (dataFolder: string, port: number, variables: Variables = {}): NpmStart => {
  const child = spawn('npm', ['start', '--ignore-scripts'], {
    env: toEnv({
      LINEHAUL_DATA_DIR: dataFolder,
      PORT: String(port),
      DEMO_UNITS: '20',
      MAP_TILES_URL: 'none',
      ...variables,
    }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  let hasEnded = false;
  const ended = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      hasEnded = true;
      resolve(code);
    }),
  );
  const clusterFile = (name: string) => join(dataFolder, 'postgres', 'cluster', name);

  const findOwner = () => findPostgresOwner({ root: dataFolder, dataFolder });

  return {
    port,
    ended,
    output: () => output,
    untilReady: async () => {
      for (const startedAtMs = Date.now(); !output.includes('Linehaul is ready'); await sleep(50)) {
        if (hasEnded || Date.now() - startedAtMs > READY_WITHIN_MS) {
          throw new Error(`npm start did not come to be ready. Its output:\n${output}`);
        }
      }
    },
    readRunning: () => {
      const owner = findOwner();
      if (!owner)
        throw new Error(`No process has the database in ${dataFolder} when npm start is expected to.`);
      // Its first line is the process, its fourth the port.
      const lines = readFileSync(clusterFile('postmaster.pid'), 'utf8').split('\n');
      return {
        supervisorPid: owner.pid,
        postgresPid: Number(lines[0]),
        postgresPort: Number(lines[3]),
      };
    },
    hasPostmasterFile: () => existsSync(clusterFile('postmaster.pid')),
    isAlive,
    signal: (signal) => void child.kill(signal),
    signalGroup: (signal) => void process.kill(-child.pid!, signal),
    kill: async () => {
      if (hasEnded) return;
      const owner = findOwner();
      if (owner) process.kill(owner.pid, 'SIGTERM');
      else child.kill('SIGTERM');
      await ended;
    },
  };
};
