import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NO_TESTS, toPlaywrightCounts, toVitestCounts, withRunner } from './counts';
import type { Counts } from './counts';
import { runProgram } from './run';

interface Runner {
  title: string;
  program: (report: string) => string[];
  env: (report: string) => Record<string, string>;
  toCounts: (report: unknown) => Counts;
}

const VITEST: Runner = {
  title: 'Unit and contract tests',
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
  title: 'End-to-end tests',
  program: () => ['playwright', 'test', '--reporter=list,json'],
  env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
  toCounts: toPlaywrightCounts,
};

const readCounts = (report: string, toCounts: Runner['toCounts']): Counts => {
  if (!existsSync(report)) {
    console.log('✗ It ended without a report.');
    return NO_TESTS;
  }
  return toCounts(JSON.parse(readFileSync(report, 'utf8')));
};

const runTests = async (root: string, { title, program, env, toCounts }: Runner): Promise<Counts> => {
  const report = join(root, '.cache', `${title.toLowerCase().replaceAll(' ', '-')}.json`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  // The report of an earlier run must not speak for one that crashed.
  rmSync(report, { force: true });
  console.log(`\n${title}`);
  const { exitCode } = await runProgram(root, program(report), { shown: true, env: env(report) });
  return withRunner(title, readCounts(report, toCounts), exitCode);
};

export const runUnitTests = (root: string): Promise<Counts> => runTests(root, VITEST);

export const runEndToEndTests = (root: string): Promise<Counts> => runTests(root, PLAYWRIGHT);
