import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A server under load, in a process of its own. */
export interface RunningServer {
  port: number;
  pid: number;
  /** Ends it at once, as a power failure would. */
  kill(): Promise<void>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const NAIVE = fileURLToPath(new URL('naive.ts', import.meta.url));
const listeningSchema = z.object({ url: z.url() });

/** The tracking service as `npm run service -- serve` runs it. */
export const startService = async (databaseUrl: string): Promise<RunningServer> => {
  const args = ['--import', 'tsx', 'service/main.ts', 'serve', '--port', '0', '--json'];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, 'line'), exited.then(() => ['nothing'])])) as [string];
  const { url } = listeningSchema.parse(JSON.parse(line));
  return {
    port: Number(new URL(url).port),
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

export const startNaive = async (databaseUrl: string, usdot: string): Promise<RunningServer> => {
  const child = fork(NAIVE, [databaseUrl, usdot]);
  const exited = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  return {
    port,
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
