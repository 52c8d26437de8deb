import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';

const STARTS_WITHIN_MS = 10_000;

/** scripts/bootstrap.mjs notes where it is. */
const findProgram = (): string => {
  const noted = join('.cache', 'redis-server');
  return existsSync(noted) ? readFileSync(noted, 'utf8') : 'redis-server';
};

const answers = async (url: string): Promise<boolean> => {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch {
    return false;
  } finally {
    if (client.isOpen) client.destroy();
  }
};

export interface RedisServer {
  url: string;
  /** Ends it with all its data. */
  stop: () => Promise<void>;
  /** Starts it again on the same port, empty. */
  start: () => Promise<void>;
  /** Stops and resumes its process, so that connections stay open without an answer. */
  pause: () => void;
  resume: () => void;
}

/** Starts a redis-server on the loopback interface that keeps nothing on disk. */
export const startRedis = async (port: number): Promise<RedisServer> => {
  const url = `redis://127.0.0.1:${port}`;
  const launch = () =>
    spawn(
      findProgram(),
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
      {
        stdio: 'ignore',
      },
    );
  let server = launch();
  const untilReady = async (): Promise<void> => {
    for (const untilMs = Date.now() + STARTS_WITHIN_MS; !(await answers(url)); await sleep(50))
      if (server.exitCode !== null || Date.now() > untilMs) throw new Error('redis-server does not answer.');
  };
  await untilReady();
  return {
    url,
    stop: async () => {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    start: async () => {
      server = launch();
      await untilReady();
    },
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
  };
};
