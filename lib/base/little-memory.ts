import 'server-only';
import { setFlagsFromString } from 'node:v8';

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

let running = 0;

/**
 * Runs work that makes much garbage in threads of its own, without the mode, in which each collection drops
 * compiled code and a thread that begins has 1 instead of 16 MB for young objects.
 */
export const withMemory = async <T>(work: () => Promise<T>): Promise<T> => {
  if (running++ === 0 && isOptimized) for (const flag of FLAGS_OF_NO_MODE) setFlagsFromString(flag);
  try {
    return await work();
  } finally {
    if (--running === 0 && isOptimized) setFlagsFromString(MEMORY_FLAG);
  }
};
