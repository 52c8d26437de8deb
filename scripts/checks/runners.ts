import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NO_TESTS, toPlaywrightCounts, toVitestCounts, withRunner } from './counts';
import type { Counts } from './counts';
import { runProgram } from './run';

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

const runTests = async (root: string, { title, program, env, toCounts }: Runner): Promise<Counts> => {
  const report = join(root, '.cache', `${title.replaceAll(' ', '-')}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  // A report of an earlier run must not stand for one that crashed.
  rmSync(report, { force: true });
  const { exitCode } = await runProgram(root, program(report), { shown: true, env: env(report) });
  const counts = existsSync(report) ? toCounts(JSON.parse(readFileSync(report, 'utf8')), root) : NO_TESTS;
  return withRunner(title, counts, exitCode);
};

export const runUnitTests = (root: string): Promise<Counts> => runTests(root, VITEST);

export const runEndToEndTests = (root: string): Promise<Counts> => runTests(root, PLAYWRIGHT);
