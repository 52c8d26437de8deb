// Loaded before the server: writes once a second how long its event loop was held up, and its memory.
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;
const NS_PER_MS = 1e6;
const path = process.env.BENCH_LOOP_FILE;

if (isMainThread && path) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  // The delay is given as the time between two looks, which is the resolution at least.
  const toMs = (ns) => Math.max(0, ns / NS_PER_MS - RESOLUTION_MS);
  process.on('SIGUSR2', () => delay.reset());
  setInterval(() => {
    const said = {
      p99Ms: toMs(delay.percentile(99)),
      maxMs: toMs(delay.max),
      rssBytes: process.memoryUsage.rss(),
    };
    // A reader finds one reading or the next, never half of one.
    writeFileSync(`${path}.next`, JSON.stringify(said));
    renameSync(`${path}.next`, path);
  }, 1000).unref();
}
