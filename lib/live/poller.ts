import 'server-only';
import type { Schedule } from './schedule';

export interface Poller {
  /** Somebody asks: polling goes on for `watchMs` from now, and starts when it rests. */
  wake(): void;
  /** Nothing is scheduled and nothing runs, until somebody asks. */
  isResting(): boolean;
  /** Ends polling for good; a poll under way ends on its own. */
  close(): void;
}

/**
 * Runs `poll` again and again while somebody asks, one at a time. `poll` says how long to wait for the
 * next, and must not reject.
 */
export const createPoller = (options: {
  poll: () => Promise<number>;
  elapsed: () => number;
  schedule: Schedule;
  watchMs: number;
}): Poller => {
  const { poll, elapsed, schedule, watchMs } = options;
  let askedAtMs = -Infinity;
  let isRunning = false;
  let isClosed = false;
  let cancel: (() => void) | null = null;

  const runIfWatched = (): void => {
    cancel = null;
    if (isClosed || elapsed() - askedAtMs > watchMs) return;
    isRunning = true;
    void poll().then((delayMs) => {
      isRunning = false;
      if (!isClosed) cancel = schedule(runIfWatched, delayMs);
    });
  };

  const isResting = (): boolean => !isClosed && !isRunning && cancel === null;

  return {
    isResting,
    wake: () => {
      askedAtMs = elapsed();
      if (isResting()) runIfWatched();
    },
    close: () => {
      isClosed = true;
      cancel?.();
      cancel = null;
    },
  };
};
