/**
 * `npm start` and, with --dev, `npm run dev`: configuration, PostgreSQL if none is configured, and the web
 * application in this one process, from the first line to a clean end.
 */
import { AuthSecretError } from '@/lib/auth/server/secret';
import { EnvError, parseEnv, type Env } from '@/lib/config/env';
import { readRuntime } from '@/server/runtime';
import { PostgresStartError } from '@/lib/database/embedded/data-directory';
import {
  findPostgresOwner,
  openPostgres,
  type RunningPostgres,
} from '@/lib/database/embedded/embedded-postgres';
import { SecretFileError, loadEnvFiles, loadSecretFiles } from '@/lib/base/process/environment';
import { untilAborted, watchSignals } from '@/lib/base/process/signals';
import { CommandError, needsOwnDatabase, readAddress, toUrl, requireFreePort } from './start/environment';
import { stopWithParent } from './start/stop-with-parent';

// Not where this file is: the build bundles it.
const root = process.cwd();
const dev = process.argv.includes('--dev');
const print = (line: string) => process.stdout.write(`${line}\n`);
// Before Next.js is loaded, which replaces it.
const { fetch } = globalThis;

/** Errors whose message is enough for a person, without a stack. */
const EXPECTED = [AuthSecretError, CommandError, EnvError, PostgresStartError, SecretFileError];

const describeFleet = ({ source, demoUnits, ownCarrier, providers }: Env): string => {
  if (source === 'demo') return `shows its demo fleet of ${demoUnits} units`;
  if (ownCarrier !== null) return `tracks the trucks of ${ownCarrier.companyName}, USDOT ${ownCarrier.usdot}`;
  if (source === null) return 'waits for its database';
  return `reads ${providers.map(({ baseUrl }) => new URL(baseUrl).host).join(', ')}`;
};

const requireUnusedDatabase = (isOwn: boolean): void => {
  const owner = isOwn ? findPostgresOwner({ root }) : null;
  if (owner)
    throw new CommandError(
      `This checkout's database is in use by ${owner.purpose} (process ${owner.pid}). End that first, or give ` +
        `this one a folder of its own: LINEHAUL_DATA_DIR=.data/app npm ${dev ? 'run dev' : 'start'}`,
    );
};

/** The embedded PostgreSQL, which ends with this process even if this process is killed. */
const openDatabase = async (signal: AbortSignal): Promise<RunningPostgres> => {
  let release = (): void => undefined;
  const onStarted = (pid: number): void => {
    release();
    release = stopWithParent(pid);
  };
  const purpose = dev ? 'npm run dev' : 'npm start';
  const postgres = await openPostgres({ root, purpose, supervise: { onStarted }, say: print, signal });
  if (postgres.pid !== null) onStarted(postgres.pid);
  return {
    ...postgres,
    stop: async () => {
      await postgres.stop();
      release();
    },
  };
};

const loadApplication = () => import('./application');

/** Runs the application until a signal ends it. */
const run = async (loading: ReturnType<typeof loadApplication>, signal: AbortSignal): Promise<void> => {
  const address = readAddress(process.env);
  Object.assign(process.env, { PORT: String(address.port), HOSTNAME: address.host });
  const env = parseEnv(process.env);
  const { startApplication } = await loading;
  const starting = startApplication({ env, dev, root, fetch });
  const application = await Promise.race([starting, untilAborted(signal).then(() => null)]);
  if (application === null) return void starting.catch(() => undefined);
  print(`Linehaul is ready on ${toUrl(address)} and ${describeFleet(readRuntime().env)}`);
  await untilAborted(signal);
  await application.stop();
};

const start = async (signal: AbortSignal): Promise<void> => {
  loadEnvFiles(root);
  loadSecretFiles(process.env);
  Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production', NEXT_TELEMETRY_DISABLED: '1' });
  // Before anything is started: a faulty configuration is refused with all its faults.
  parseEnv(process.env);
  const isOwn = needsOwnDatabase(process.env);
  requireUnusedDatabase(isOwn);
  await requireFreePort(readAddress(process.env));
  // While the database starts, which is done by other processes.
  const loading = loadApplication();
  loading.catch(() => undefined);
  const postgres = isOwn ? await openDatabase(signal) : null;
  if (postgres !== null) process.env.DATABASE_URL = postgres.databaseUrl;
  try {
    if (!signal.aborted) await run(loading, signal);
  } finally {
    await postgres?.stop();
  }
};

const signal = watchSignals();
// A reader that goes away (npm start | head) is no reason to leave a database behind.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
let exitCode = 0;
try {
  await start(signal);
} catch (error) {
  const isExpected = EXPECTED.some((kind) => error instanceof kind);
  // A signal during the opening of the database makes it fail, as intended.
  if (!(signal.aborted && error instanceof PostgresStartError)) {
    process.stderr.write(`${isExpected ? (error as Error).message : (error as Error).stack}\n`);
    exitCode = 1;
  }
}
// Next.js leaves timers and, in development, processes behind.
process.exit(exitCode);
