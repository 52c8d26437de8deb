import 'server-only';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import atlas from 'us-atlas/states-10m.json';
import { learnFixes, toHours } from '@/lib/arrivals/learn';
import { StateIndex, type StatesAtlas } from '../states/state-index';
import type { ThreadJob } from './report-threads';
import { toQualityDays } from './quality-days';
import { toUnitDays } from './unit-days';
import { replayWatch } from './watch-replay';

// On Linux this is the priority of the thread alone: requests of the live map go first. A lower one stands still on a busy
// machine, where people wait for a report.
setPriority(5);
const states = new StateIndex(atlas as unknown as StatesAtlas);
const port = parentPort!;

const run = (job: ThreadJob): unknown => {
  if ('config' in job) return replayWatch(job);
  if (!('kind' in job)) return toUnitDays(job, states);
  if (job.kind === 'quality') return toQualityDays(job);
  return job.kind === 'learn' ? learnFixes(job) : toHours(job);
};

port.on('message', (job: ThreadJob) => {
  const result = run(job);
  port.postMessage(result, result instanceof ArrayBuffer ? [result] : []);
});
