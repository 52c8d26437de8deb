import 'server-only';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// There is no other way to ask for it in a thread, which may be given no flags of its own.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Below this a poll leaves too little behind to be worth the cores that a collection takes from those who ask. */
const LEAST_UNITS = 50_000;
/** What smaller fleets leave behind together is collected this often. */
const SELDOM_MS = 20_000;

/**
 * Collects what a poll has left behind, halfway to the next, when nobody waits for the thread: by itself it lets
 * it pile up until it holds three times what it needs, 400 MB more at 100,000 units and 200 MB at 10,000.
 */
export const createCollector = (pollIntervalMs: number, seldomMs = SELDOM_MS) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let collectedAtMs = performance.now();
  return {
    afterPoll(units: number): void {
      if (units < LEAST_UNITS && performance.now() - collectedAtMs < seldomMs) return;
      collectedAtMs = performance.now();
      clearTimeout(timer);
      timer = setTimeout(collect, pollIntervalMs / 2).unref();
    },
  };
};
