/**
 * `npm start` and, with --dev, `npm run dev`: PostgreSQL where none is configured, and the web application,
 * from the first line to a clean end.
 */
import { fileURLToPath } from 'node:url';
import { EnvError, parseEnv } from '@/lib/config/env';
import type { Env } from '@/lib/config/env';
import { findPostgresOwner, openPostgres } from '@/lib/postgres/embedded/embedded-postgres';
import type { RunningPostgres } from '@/lib/postgres/embedded/embedded-postgres';
import { PostgresStartError } from '@/lib/postgres/embedded/errors';
import { CommandError, loadEnvFiles, needsOwnDatabase, readAddress, toUrl } from './start/environment';
import { startNextServer } from './start/next-server';
import { requireFreePort } from './start/port';
import { SecretFileError, loadSecretFiles } from './start/secret-files.mjs';
import { untilAborted, watchSignals } from './start/signals';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const dev = process.argv.includes('--dev');
const say = (line: string) => process.stdout.write(`${line}\n`);

/** What can be told to a person without a stack. */
const EXPECTED = [CommandError, EnvError, PostgresStartError, SecretFileError];

const describeFleet = (env: Env): string => {
  if (env.providers.length === 0) return `shows its demo fleet of ${env.demoUnits} units`;
  return `reads ${env.providers.map(({ baseUrl }) => new URL(baseUrl).host).join(', ')}`;
};

const requireNoOther = (isOwn: boolean): void => {
  const owner = isOwn ? findPostgresOwner({ root }) : null;
  if (owner) {
    throw new CommandError(
      `This checkout's database is in use by ${owner.purpose} (process ${owner.pid}). End that first, or give ` +
        `this one a folder of its own: LINEHAUL_DATA_DIR=.data/app npm ${dev ? 'run dev' : 'start'}`,
    );
  }
};

/** The process of a database that was started again, for the web server as soon as there is one. */
interface Restarts {
  pid: number | null;
  tell: (pid: number) => void;
}

/** Runs the application until a signal or a failure ends it; gives the exit code. */
const supervise = async (
  settings: Env,
  postgres: RunningPostgres | null,
  restarts: Restarts,
  signal: AbortSignal,
): Promise<number> => {
  const address = readAddress(process.env);
  const env: Record<string, string> = postgres
    ? {
        DATABASE_URL: postgres.databaseUrl,
        LINEHAUL_POSTGRES_PID: String(restarts.pid ?? postgres.pid ?? ''),
      }
    : {};
  const next = startNextServer({ root, dev, address, env });
  restarts.tell = next.tellPostgres;
  try {
    void next.answering.then(() =>
      say(`Linehaul is ready on ${toUrl(address)} and ${describeFleet(settings)}`),
    );
    return await Promise.race([untilAborted(signal).then(() => 0), next.ended]);
  } finally {
    await next.stop();
  }
};

const start = async (signal: AbortSignal): Promise<number> => {
  loadEnvFiles(root);
  loadSecretFiles(process.env);
  // Before anything is started for it: the web server would refuse a faulty configuration as well, and later.
  const settings = parseEnv(process.env);
  const isOwn = needsOwnDatabase(process.env);
  requireNoOther(isOwn);
  await requireFreePort(readAddress(process.env));
  const purpose = dev ? 'npm run dev' : 'npm start';
  const restarts: Restarts = { pid: null, tell: () => undefined };
  const onStarted = (pid: number): void => {
    restarts.pid = pid;
    restarts.tell(pid);
  };
  const postgres = isOwn ? await openPostgres({ root, purpose, keep: { onStarted }, say, signal }) : null;
  try {
    return signal.aborted ? 0 : await supervise(settings, postgres, restarts, signal);
  } finally {
    await postgres?.stop();
  }
};

const signal = watchSignals();
// A reader that goes away (npm start | head) is no reason to leave a database behind.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
try {
  process.exitCode = await start(signal);
} catch (error) {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  // A database that was being opened when we were told to end has failed as it was meant to.
  if (!(signal.aborted && error instanceof PostgresStartError)) {
    process.stderr.write(`${isExpected ? (error as Error).message : (error as Error).stack}\n`);
    process.exitCode = 1;
  }
}
