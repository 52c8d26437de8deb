import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { NO_TESTS } from './counts';
import type { Counts } from './counts';
import { runProgram } from './run';
import type { RunOptions } from './run';

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

/** What a check found for a file holds until the content of that file changes. */
const toCached = (name: string): string[] => [
  '--cache',
  '--cache-location',
  `.cache/${name}`,
  '--cache-strategy',
  'content',
];

const BUILD = { name: 'build', program: ['node', 'scripts/bootstrap.mjs', '--build'] };
const TYPES = {
  name: 'types',
  program: ['tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'],
};
const LINT = { name: 'lint', program: ['eslint', '--max-warnings', '0', ...toCached('eslint'), '.'] };
const FORMATTING = {
  name: 'formatting',
  program: ['prettier', '--check', '--log-level', 'warn', ...toCached('prettier'), '.'],
};

export const runBuild = (root: string): Promise<Counts> => runCheck(root, BUILD);

/** Needs the build, which generates the types of the routes. */
export const runTypes = (root: string): Promise<Counts> => runCheck(root, TYPES);

export const runLint = (root: string): Promise<Counts> => runCheck(root, LINT);

export const runFormatting = (root: string): Promise<Counts> => runCheck(root, FORMATTING);

export const runDependencyRules = (root: string): Promise<Counts> => {
  const folders = FOLDERS.filter((folder) => existsSync(join(root, folder)));
  const program = ['depcruise', '--cache', '.cache/depcruise', '--cache-strategy', 'content', ...folders];
  return runCheck(root, { name: 'dependency rules', program });
};

const BENCHES = ['ingest', 'server', 'map', 'soak', 'truth'].map((name) => `bench/${name}/main.ts`);
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
/** What a fresh clone does not have. */
const MADE = new Set(['.git', '.next', '.data', '.cache', 'node_modules', 'test-results']);
const TRY_OUT =
  'node scripts/bootstrap.mjs --build --browser && E2E_TARGET=embedded playwright test e2e/smoke.spec.ts';

/** Installs, builds and smoke-tests a copy of the checkout under each other version of Node.js. */
export const runNodeVersions = async (root: string): Promise<Counts[]> => {
  const counts: Counts[] = [];
  for (const version of NODE_VERSIONS) {
    const copy = await mkdtemp(join(tmpdir(), 'linehaul-node-'));
    await cp(root, copy, { recursive: true, filter: (path) => !MADE.has(basename(path)) });
    const program = [
      'npx',
      '--yes',
      `--package=node@${version}`,
      '--call',
      `node --version | grep ${version} && ${TRY_OUT}`,
    ];
    counts.push(await runCheck(root, { name: `Node.js ${version}`, program }, { cwd: copy }));
    await rm(copy, { recursive: true });
  }
  return counts;
};
