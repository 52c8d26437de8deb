import 'server-only';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** V8's own mode for low memory. */
export const MEMORY_FLAG = '--optimize-for-size';
/** The mode also bounds the space for young objects, which leaving it does not undo. */
const FLAGS_OF_NO_MODE = ['--no-optimize-for-size', '--max-semi-space-size=0'];

let isOptimized = false;

/**
 * Makes V8 collect garbage again soon after a collection and compact the heap: by default it lets a heap
 * double, and more where the machine has free memory, and half of it fills with gaps between objects that a
 * fleet keeps for minutes. Applies to the whole process: the main thread that answers browsers and the thread
 * that polls.
 */
export const optimizeForSize = (): void => {
  isOptimized = true;
  setFlagsFromString(MEMORY_FLAG);
};

/** Busy threads that did not begin to run yet. */
const starting = new Set<Worker>();

/**
 * Starts a thread that makes much garbage and keeps little. One that begins in the mode for low memory has 1 instead
 * of 16 MB for young objects, also later, and needs 1.6 times the processor time of one that does not: so the mode is
 * off until the thread runs.
 */
export const startBusyThread = (code: string): Worker => {
  if (isOptimized) for (const flag of FLAGS_OF_NO_MODE) setFlagsFromString(flag);
  const thread = new Worker(code, { eval: true });
  if (!isOptimized) return thread;
  starting.add(thread);
  const onBegun = (): void => {
    starting.delete(thread);
    if (starting.size === 0) setFlagsFromString(MEMORY_FLAG);
  };
  thread.once('online', onBegun);
  thread.once('exit', onBegun);
  return thread;
};
