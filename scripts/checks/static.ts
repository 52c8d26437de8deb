import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NO_TESTS } from './counts';
import type { Counts } from './counts';
import { runProgram } from './run';

/** A check of the sources as they stand: programs to run in turn, all of which must succeed. */
interface StaticCheck {
  name: string;
  programs: string[][];
}

const FOLDERS = [
  'app',
  'components',
  'lib',
  'server',
  'service',
  'testing',
  'scripts',
  'e2e',
  'instrumentation.ts',
];

const listChecks = (root: string): StaticCheck[] => [
  // Without a build, Next's own types of the routes are not there yet.
  {
    name: 'types',
    programs: [
      ['next', 'typegen'],
      ['tsc', '--noEmit', '--incremental', 'false'],
    ],
  },
  { name: 'lint', programs: [['eslint', '--max-warnings', '0', '.']] },
  {
    name: 'dependency rules',
    programs: [
      [
        'depcruise',
        '--config',
        '.dependency-cruiser.mjs',
        ...FOLDERS.filter((folder) => existsSync(join(root, folder))),
      ],
    ],
  },
  { name: 'formatting', programs: [['prettier', '--check', '--log-level', 'warn', '.']] },
];

const runCheck = async (root: string, { name, programs }: StaticCheck): Promise<Counts> => {
  const startedAt = performance.now();
  for (const program of programs) {
    const { exitCode, output } = await runProgram(root, program, { env: { NEXT_TELEMETRY_DISABLED: '1' } });
    if (exitCode !== 0) {
      console.log(`✗ ${name}: ${program.join(' ')}\n\n${output.trim()}\n`);
      return { ...NO_TESTS, failures: [name] };
    }
  }
  console.log(`✓ ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  return { ...NO_TESTS, passed: 1 };
};

/** Runs the static checks, two at a time; each counts as one test. */
export const runStaticChecks = async (root: string): Promise<Counts[]> => {
  const waiting = listChecks(root);
  console.log(`Checking ${waiting.map(({ name }) => name).join(', ')}`);
  const counts: Counts[] = [];
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift())
      counts.push(await runCheck(root, check));
  };
  await Promise.all([work(), work()]);
  return counts;
};
