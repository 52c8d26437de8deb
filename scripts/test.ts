/**
 * `npm test`: every check and every test, also after a failure, and at the end the time of each stage, the slowest
 * tests, the failures, and one line that counts them all. With --long the benches, the long tests and other versions of
 * Node.js as well; with --without-e2e no end-to-end tests; with --quick neither build nor benches, and of the unit tests
 * those of the pure folders and of changed files.
 */
import { existsSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { watchSignals } from '../lib/base/process/signals';
import { sumCounts, toSlowestLines, toSummaryLine, type Counts } from './checks/counts';
import {
  listQuickTests,
  runBenches,
  runEndToEndTests,
  runNodeVersions,
  runSourceCheck,
  runUnitTests,
  interruptRunning,
} from './checks/programs';

const MOST_LISTED = 25;

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const isLong = process.argv.includes('--long');
const isQuick = process.argv.includes('--quick');
if (isLong) process.env.LINEHAUL_TEST_LONG = '1';

/** PostgreSQL makes and drops a database for each test file, which on a disk takes a tenth of a short run. */
const MEMORY_FOLDER = '/dev/shm';
const ENOUGH_BYTES = 8 * 1024 ** 3;
if (!isLong && existsSync(MEMORY_FOLDER) && freemem() > ENOUGH_BYTES) {
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  if (bavail * bsize > ENOUGH_BYTES) process.env.TMPDIR ??= MEMORY_FOLDER;
}

type Stage = [name: string, run: (root: string) => Promise<Counts | Counts[]>];

const toStage = (check: Parameters<typeof runSourceCheck>[1]): Stage => [
  check,
  () => runSourceCheck(root, check),
];

/** Side by side, because each of them waits now and then: the build for its threads, the tests for leases and polls. */
const CONCURRENT: Stage[][] = [
  isQuick ? [toStage('types')] : [toStage('build'), toStage('types')],
  [
    ...[toStage('lint'), toStage('formatting'), toStage('dependency rules')],
    ['unit tests', () => runUnitTests(root, isQuick ? listQuickTests(root) : [])],
  ],
];

const SEQUENTIAL: Stage[] = isQuick ? [] : [['benches', () => runBenches(root, isLong)]];
if (!isQuick && !process.argv.includes('--without-e2e'))
  SEQUENTIAL.push(['end-to-end tests', runEndToEndTests]);
if (isLong) SEQUENTIAL.push(['other versions of Node.js', runNodeVersions]);

const signal = watchSignals();
signal.addEventListener('abort', interruptRunning);

const counts: Counts[] = [];
const times: string[] = [];
const startedAt = performance.now();
const secondsSince = (sinceMs: number): string =>
  ((performance.now() - sinceMs) / 1000).toFixed(1).padStart(7);

const runSequentially = async (stages: Stage[]): Promise<void> => {
  for (const [name, run] of stages) {
    if (signal.aborted) return;
    const stageStartedAt = performance.now();
    counts.push(...[await run(root)].flat());
    times.push(`${secondsSince(stageStartedAt)} s  ${name}`);
  }
};

await Promise.all(CONCURRENT.map(runSequentially));
await runSequentially(SEQUENTIAL);

const total = sumCounts(counts);
console.log(`\nStages\n${times.join('\n')}\n${secondsSince(startedAt)} s  in all`);
console.log(`\nSlowest tests\n${toSlowestLines(total.timings, MOST_LISTED).join('\n')}`);
for (const failure of total.failures) console.log(`\n✗ ${failure}`);
console.log(`\n${toSummaryLine(total)}`);
process.exitCode = total.failures.length > 0 || signal.aborted ? 1 : 0;
