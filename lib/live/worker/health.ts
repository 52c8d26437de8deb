import 'server-only';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { OnEncoded } from '@/lib/live/feed/poll-report';

/** The health of the polling thread since the last reading. */
export interface ThreadVitals {
  /** Event loop delay, in milliseconds. */
  delayP50Ms: number;
  delayP99Ms: number;
  delayMaxMs: number;
  heapUsedBytes: number;
  /** How long each answer took to encode, and to compress, in milliseconds. */
  encodeMs: number[];
  compressMs: number[];
}

const NS_PER_MS = 1e6;
const RESOLUTION_MS = 20;
/** More answers than between two readings; bounds the list where readings are far apart. */
const MOST_TIMES = 256;

/** Measures the thread that it is created in; cheap enough to run always. */
export const createVitalsWatch = (): { take: () => ThreadVitals; noteEncoded: OnEncoded } => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let encodeMs: number[] = [];
  let compressMs: number[] = [];
  // The histogram includes the sampling interval itself.
  const toMs = (ns: number): number =>
    Number.isFinite(ns) ? Math.max(0, ns / NS_PER_MS - RESOLUTION_MS) : 0;

  return {
    noteEncoded: (step, tookMs) => {
      const times = step === 'encode' ? encodeMs : compressMs;
      if (times.length < MOST_TIMES) times.push(tookMs);
    },
    take: () => {
      const vitals = {
        delayP50Ms: toMs(delay.percentile(50)),
        delayP99Ms: toMs(delay.percentile(99)),
        delayMaxMs: toMs(delay.max),
        heapUsedBytes: process.memoryUsage().heapUsed,
        encodeMs,
        compressMs,
      };
      delay.reset();
      encodeMs = [];
      compressMs = [];
      return vitals;
    },
  };
};
