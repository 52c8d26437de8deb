/**
 * `npm test` and, with --without-e2e, `npm run check`: every check and every test, also after a failure, and
 * one line at the end that counts them all.
 */
import { fileURLToPath } from 'node:url';
import { runSmallBenches } from './checks/benches';
import { sumCounts, toSummaryLine } from './checks/counts';
import type { Counts } from './checks/counts';
import { interruptRunning } from './checks/run';
import { runEndToEndTests, runUnitTests } from './checks/runners';
import { runStaticChecks } from './checks/static';
import { watchSignals } from '../server/start/signals';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const stages: ((root: string) => Promise<Counts | Counts[]>)[] = [
  runStaticChecks,
  runUnitTests,
  runSmallBenches,
];
if (!process.argv.includes('--without-e2e')) stages.push(runEndToEndTests);

const signal = watchSignals();
signal.addEventListener('abort', interruptRunning);

const counts: Counts[] = [];
for (const stage of stages) {
  if (!signal.aborted) counts.push(...[await stage(root)].flat());
}
const total = sumCounts(counts);
// Where only the end of a log is at hand, it still says what failed.
for (const retried of total.retried) console.log(`\n↻ passed at its second attempt only: ${retried}`);
for (const failure of total.failures) console.log(`\n✗ ${failure}`);
console.log(`\n${toSummaryLine(total)}`);
process.exitCode = total.failures.length > 0 || signal.aborted ? 1 : 0;
