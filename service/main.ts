/**
 * `npm run service`: the tracking service alone. It uses DATABASE_URL, or else the embedded PostgreSQL of this
 * checkout: the one that runs already, or its own for as long as the command takes.
 */
import { fileURLToPath } from 'node:url';
import { redactSecrets } from '@/lib/base/credential-text';
import { PostgresInUseError, PostgresStartError } from '@/lib/database/embedded/data-directory';
import { findRunningPostgres, openPostgres } from '@/lib/database/embedded/embedded-postgres';
import {
  SecretFileError,
  listVariables,
  loadEnvFiles,
  loadSecretFiles,
  readVariable,
} from '@/lib/base/process/environment';
import { watchSignals } from '@/lib/base/process/signals';
import { runCommand } from './command/main';

interface Database {
  databaseUrl: string;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const argv = process.argv.slice(2);
// What a command answers goes to stdout, for programs to read; everything about it to stderr.
const stdout = (line: string) => void process.stdout.write(`${line}\n`);
const stderr = (line: string) => void process.stderr.write(`${line}\n`);

const leaveRunning = () => Promise.resolve();

/** Only `serve` must survive the loss of its database; any other command fails with it. */
const isServing = argv[0] === undefined || argv[0] === 'serve' || argv[0].startsWith('-');

const openDatabase = async (signal: AbortSignal): Promise<Database> => {
  const configured = readVariable(process.env, 'DATABASE_URL');
  if (configured) return { databaseUrl: configured, stop: leaveRunning };
  const running = await findRunningPostgres({ root });
  if (running) return { ...running, stop: leaveRunning };
  try {
    const purpose = `npm run service (${argv[0] ?? 'serve'})`;
    return await openPostgres({
      root,
      purpose,
      say: stderr,
      signal,
      ...(isServing && { supervise: { onStarted: () => undefined } }),
    });
  } catch (error) {
    // Another process was quicker; its server will do.
    const other = error instanceof PostgresInUseError ? await findRunningPostgres({ root }) : null;
    if (!other) throw error;
    return { ...other, stop: leaveRunning };
  }
};

const isHelp = argv[0] === 'help' || argv.includes('--help') || argv.includes('-h');

const run = async (signal: AbortSignal): Promise<number> => {
  loadEnvFiles(root);
  loadSecretFiles(process.env);
  const database = isHelp ? { databaseUrl: '', stop: leaveRunning } : await openDatabase(signal);
  try {
    return await runCommand(argv, {
      databaseUrl: database.databaseUrl,
      now: Date.now,
      env: listVariables(process.env),
      stdout,
      stderr,
      signal,
      // Loaded on use: only this knows the application.
      recordPast: async (past) =>
        (await import('@/server/service/demo-past')).recordPastAt(database.databaseUrl, past, signal),
    });
  } finally {
    await database.stop();
  }
};

// A reader that goes away (vehicles list | head) is no failure; a full disk behind `> file` is one.
let outputError: Error | null = null;
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') outputError = error;
  });
}

const signal = watchSignals();
try {
  process.exitCode = await run(signal);
} catch (error) {
  const isExpected = error instanceof PostgresStartError || error instanceof SecretFileError;
  stderr(redactSecrets(isExpected ? error.message : String((error as Error).stack)));
  process.exitCode = 1;
}
process.on('exit', () => {
  if (outputError === null) return;
  stderr(`Not everything could be printed: ${outputError.message}`);
  process.exitCode = 1;
});
