/**
 * `npm run bench:ingest`: how many fixes the tracking service accepts, and how fast it acknowledges them. With --smoke a
 * thousand vehicles for a few seconds, and no result is kept.
 */
import { watchSignals } from '@/lib/base/process/signals';
import { publishReport, toMarkdown } from '../support/report';
import { runBench } from './run';
import { FULL_SCALE, SMOKE_SCALE } from './scale';
import { toSections } from './sections';

const isSmoke = process.argv.includes('--smoke');
const scale = isSmoke ? SMOKE_SCALE : FULL_SCALE;

const startedAtMs = Date.now();
const say = (line: string): void => {
  console.error(`${((Date.now() - startedAtMs) / 1000).toFixed(0).padStart(4)} s  ${line}`);
};
const outcome = await runBench(scale, say, watchSignals());
const about =
  `The tracking service with ${scale.vehicles.toLocaleString('en-US')} vehicles, its PostgreSQL and the load ` +
  'generator on one machine, against a handler as one would first write it (bench/ingest/naive.ts).';
publishReport('ingest', toMarkdown('Ingest', about, toSections(outcome, scale), startedAtMs), {
  isKept: !isSmoke,
});

const { missing, vehiclesBehind, vehiclesMisplaced } = outcome.checks.service;
if (missing + vehiclesBehind + vehiclesMisplaced > 0) process.exitCode = 1;
