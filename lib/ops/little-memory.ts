import 'server-only';
import { setFlagsFromString } from 'node:v8';

/** V8's own mode for low memory. */
export const MEMORY_FLAG = '--optimize-for-size';

/**
 * Makes V8 collect garbage again soon after a collection and compact the heap: by default it lets a heap
 * double, and more where the machine has free memory, and half of it fills with gaps between objects that a
 * fleet keeps for minutes. Applies to the whole process: the main thread that answers browsers and the thread
 * that polls.
 */
export const optimizeForSize = (): void => setFlagsFromString(MEMORY_FLAG);
