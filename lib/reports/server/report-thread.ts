import 'server-only';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import atlas from 'us-atlas/states-10m.json';
import { StateIndex, type StatesAtlas } from '../states/state-index';
import { toUnitDays, type ReportJob } from './unit-days';
import { replayWatch, type WatchJob } from './watch-replay';

// On Linux this is the priority of the thread alone: requests of the live map go first.
setPriority(10);
const states = new StateIndex(atlas as unknown as StatesAtlas);
const port = parentPort!;
port.on('message', (job: ReportJob | WatchJob) =>
  port.postMessage('config' in job ? replayWatch(job) : toUnitDays(job, states)),
);
