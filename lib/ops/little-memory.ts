import 'server-only';
import { setFlagsFromString } from 'node:v8';

/** V8's own mode for little memory. */
export const MEMORY_FLAG = '--optimize-for-size';

/**
 * Has V8 collect again soon after it collected, and close the gaps that are left: by itself it lets a heap double, and
 * more where the machine has memory to spare, and fills half of it with gaps between what a fleet keeps for minutes.
 * Holds for the whole process: for what answers browsers and for the thread that polls.
 */
export const spareMemory = (): void => setFlagsFromString(MEMORY_FLAG);
