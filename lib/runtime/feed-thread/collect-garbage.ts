import 'server-only';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// There is no other way to ask for it in a thread, which may be given no flags of its own.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Below this a poll leaves too little behind to be worth the cores that a collection takes from those who ask. */
const LEAST_UNITS = 50_000;

/**
 * Collects what a poll has left behind, halfway to the next, when nobody waits for the thread: by itself it lets
 * the JSON of 100,000 units pile up until it holds twice what it needs, 400 MB more.
 */
export const createCollector = (pollIntervalMs: number) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    afterPoll(units: number): void {
      if (units < LEAST_UNITS) return;
      clearTimeout(timer);
      timer = setTimeout(collect, pollIntervalMs / 2).unref();
    },
  };
};
