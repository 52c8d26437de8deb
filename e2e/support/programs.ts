import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const WITHIN_MS = 60_000;

export type Variables = Record<string, string>;

/** Variables of the second and later accounts that a developer may have set. */
const FURTHER_ACCOUNTS = Array.from({ length: 31 }, (_, index) =>
  ['BASE_URL', 'API_KEY', 'PROVIDER_TOKEN', 'USDOT'].map((field) => `TRACKING_${index + 2}_${field}`),
).flat();

/** .env.example holds every setting that there is. */
const SETTINGS = [...readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(
  ([, name]) => name!,
);

/** The developer's own settings, which no test may depend on: a variable set to nothing counts as unset. */
const UNSET: Variables = Object.fromEntries([...FURTHER_ACCOUNTS, ...SETTINGS].map((name) => [name, '']));

const SCRIPTS = {
  start: ['.next/linehaul/main.mjs'],
  /** The same server from its sources. */
  sources: ['--import', 'tsx', 'server/main.ts'],
  service: ['--import', 'tsx', 'service/main.ts'],
};
type Script = keyof typeof SCRIPTS;

const toArgs = (script: Script, args: string[]): string[] => [
  '--conditions=react-server',
  ...SCRIPTS[script],
  ...args,
];

/** The caller's environment without the developer's own settings, plus the given variables. */
export const toEnv = (variables: Variables): NodeJS.ProcessEnv => ({
  ...process.env,
  ...UNSET,
  // A past takes seconds of the processor to make.
  LINEHAUL_TEST_DEMO_HISTORY_HOURS: '0',
  ...variables,
});

/** Starts one of our scripts, of another checkout where `root` names one; all its output goes to a file. */
export const startProgram = (
  script: Script,
  args: string[],
  variables: Variables,
  log: string,
  root = '.',
): ChildProcess => {
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, toArgs(script, args), {
    cwd: root,
    env: toEnv(variables),
    stdio: ['ignore', file, file],
  });
  closeSync(file);
  return child;
};

/** Runs `npm run service -- …` to its end and returns its --json output. */
export const runCommandLine = async <T>(args: string[], variables: Variables): Promise<T> => {
  const { stdout } = await promisify(execFile)(process.execPath, toArgs('service', [...args, '--json']), {
    env: toEnv(variables),
  });
  return JSON.parse(stdout) as T;
};

/** Waits until a program answers with success at a URL. @throws Error when it ends before that, or takes too long */
export const waitForAnswer = async (url: string, program: ChildProcess, log: string): Promise<void> => {
  for (const startedAt = Date.now(); Date.now() - startedAt < WITHIN_MS; await sleep(100)) {
    if (program.exitCode !== null) throw new Error(`It ended with ${program.exitCode}; see ${log}.`);
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // No program listens yet.
      continue;
    }
  }
  throw new Error(`No answer from ${url} within ${WITHIN_MS / 1000} s; see ${log}.`);
};

export const stopProgram = async (program: ChildProcess): Promise<void> => {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const ended = new Promise((resolve) => program.on('exit', resolve));
  program.kill('SIGTERM');
  await ended;
};
