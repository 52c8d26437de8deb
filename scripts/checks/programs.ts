import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { delimiter, dirname, join, basename } from 'node:path';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { NO_TESTS, toPlaywrightCounts, toVitestCounts, withRunner, type Counts } from './counts';

export interface Run {
  exitCode: number | null;
  output: string;
}

export interface RunOptions {
  /** Whether its output goes to the console as it comes, instead of into `output`. */
  shown?: boolean;
  env?: Record<string, string>;
  cwd?: string;
}

const running = new Set<ChildProcess>();

/** Ends the programs under way as a Ctrl-C would, so that each cleans up. */
export const interruptRunning = (): void => {
  for (const child of running) child.kill('SIGINT');
};

/** Runs a program of node_modules/.bin, or this Node.js, to its end. */
export const runProgram = async (
  root: string,
  [name = '', ...args]: string[],
  { shown = false, env = {}, cwd = root }: RunOptions = {},
): Promise<Run> => {
  const path = [join(root, 'node_modules', '.bin'), dirname(process.execPath), process.env.PATH];
  const child = spawn(name, args, {
    cwd,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', PATH: path.join(delimiter), ...env },
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
  });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const exitCode = await new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      output += error.message;
      resolve(null);
    });
    child.on('close', (code) => resolve(code));
  });
  running.delete(child);
  return { exitCode, output };
};

/** A check that is one program: it counts as one test, and its output is shown only if it fails. */
interface Check {
  name: string;
  program: string[];
}

const runCheck = async (root: string, { name, program }: Check, options?: RunOptions): Promise<Counts> => {
  const startedAt = performance.now();
  const { exitCode, output } = await runProgram(root, program, options);
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(`${exitCode === 0 ? '✓' : '✗'} ${name} (${seconds.toFixed(1)} s)`);
  if (exitCode === 0) return { ...NO_TESTS, passed: 1, timings: [{ name, seconds }] };
  console.log(`\n${program.join(' ')}\n\n${output.trim()}\n`);
  return { ...NO_TESTS, failures: [name] };
};

const FOLDERS = ['app', 'components', 'lib', 'server', 'service', 'testing', 'scripts', 'e2e'];

/** Four times as fast as version 6, which dependency-cruiser needs. */
const TYPESCRIPT = 'node_modules/typescript-7/bin/tsc';

const SOURCE_CHECKS = {
  build: ['node', 'scripts/bootstrap.mjs', '--build'],
  types: ['node', TYPESCRIPT, '--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'],
  lint: ['oxlint'],
  formatting: ['oxfmt', '--check', '.'],
  'dependency rules': ['depcruise', '--cache', '.cache/depcruise', '--cache-strategy', 'content', ...FOLDERS],
};

/** One check of the sources. Types need the build, which generates the types of the routes. */
export const runSourceCheck = (root: string, name: keyof typeof SOURCE_CHECKS): Promise<Counts> =>
  runCheck(root, { name, program: SOURCE_CHECKS[name] });

const BENCHES = [
  'alerts',
  'cluster',
  'history',
  'ingest',
  'server',
  'map',
  'load',
  'replay',
  'soak',
  'truth',
].map((name) => `bench/${name}/main.ts`);
const QUICK_BENCHES = ['bench/wire.ts'];

/** Runs benches with few units, so that a bench that no longer works is found; no figure is judged. */
export const runBenches = async (root: string, isLong: boolean): Promise<Counts[]> => {
  const counts: Counts[] = [];
  for (const bench of isLong ? [...QUICK_BENCHES, ...BENCHES] : QUICK_BENCHES) {
    const program = ['tsx', '--conditions=react-server', bench, '--smoke'];
    counts.push(await runCheck(root, { name: bench, program }));
  }
  return counts;
};

/** The newest of each line that `engines` allows, beside the one that runs the tests. */
const NODE_VERSIONS = ['22.23.3', '24.21.0'];
/** Files and folders that a fresh clone does not have. */
const GENERATED = new Set(['.git', '.next', '.data', '.cache', 'node_modules', 'test-results']);
const SMOKE_TEST =
  'node scripts/bootstrap.mjs --build --browser && E2E_TARGET=embedded playwright test e2e/smoke.spec.ts';

/** Installs, builds and smoke-tests a copy of the checkout under each other version of Node.js. */
export const runNodeVersions = async (root: string): Promise<Counts[]> => {
  const counts: Counts[] = [];
  for (const version of NODE_VERSIONS) {
    const copy = await mkdtemp(join(tmpdir(), 'linehaul-node-'));
    await cp(root, copy, { recursive: true, filter: (path) => !GENERATED.has(basename(path)) });
    const program = [
      'npx',
      '--yes',
      `--package=node@${version}`,
      '--call',
      `node --version | grep ${version} && ${SMOKE_TEST}`,
    ];
    counts.push(await runCheck(root, { name: `Node.js ${version}`, program }, { cwd: copy }));
    await rm(copy, { recursive: true });
  }
  return counts;
};

interface Runner {
  title: string;
  program: (report: string) => string[];
  env: (report: string) => Record<string, string>;
  toCounts: (report: unknown, root: string) => Counts;
}

const VITEST: Runner = {
  title: 'unit tests',
  program: (report) => [
    'vitest',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ],
  env: () => ({}),
  toCounts: toVitestCounts,
};

const PLAYWRIGHT: Runner = {
  title: 'end-to-end tests',
  program: () => ['playwright', 'test', '--reporter=list,json'],
  env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
  toCounts: toPlaywrightCounts,
};

const runTests = async (
  root: string,
  { title, program, env, toCounts }: Runner,
  filters: readonly string[] = [],
): Promise<Counts> => {
  const report = join(root, '.cache', `${title.replaceAll(' ', '-')}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  // A report of an earlier run must not stand for one that crashed.
  rmSync(report, { force: true });
  const { exitCode } = await runProgram(root, [...program(report), ...filters], {
    shown: true,
    env: env(report),
  });
  const counts = existsSync(report) ? toCounts(JSON.parse(readFileSync(report, 'utf8')), root) : NO_TESTS;
  return withRunner(title, counts, exitCode);
};

/** Folders without a clock, a database or a browser: their tests take milliseconds each. */
const PURE = ['base', 'geo', 'identity', 'motion', 'roads', 'wire', 'view', 'table-files', 'gazetteer'];
const PURE_TESTS = [...PURE, 'trips', 'rules', 'fleet'].map((folder) => `lib/${folder}/`);

/** The filters of `npm run quick`: the pure folders, and the tests beside each file that differs from the last commit. */
export const listQuickTests = (root: string): string[] => {
  const read = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [
    ...read('diff', '--name-only', 'HEAD'),
    ...read('ls-files', '--others', '--exclude-standard'),
  ];
  const beside = changed.filter((path) => /[.]tsx?$/.test(path)).map((path) => path.replace(/[.].*$/, '.'));
  return [...PURE_TESTS, ...beside];
};

/** Runs the unit tests whose paths hold one of the filters; without a filter all. */
export const runUnitTests = (root: string, filters: readonly string[]): Promise<Counts> =>
  runTests(root, VITEST, filters);

export const runEndToEndTests = (root: string): Promise<Counts> => runTests(root, PLAYWRIGHT);
