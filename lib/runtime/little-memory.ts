import 'server-only';
import { setFlagsFromString } from 'node:v8';

/** The flag of V8, in percent of what a heap holds after it was collected. */
export const GROWTH_FLAG = '--heap-growing-percent';
const GROWTH_PERCENT = 25;

/**
 * Lets a heap grow by no more than a quarter before it is collected: by itself V8 lets it double, and more where the
 * machine has memory to spare. Holds for the whole process: for what answers browsers and for the thread that polls.
 */
export const boundHeapGrowth = (): void => setFlagsFromString(`${GROWTH_FLAG}=${GROWTH_PERCENT}`);
