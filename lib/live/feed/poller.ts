import 'server-only';
import type { Schedule } from '../schedule';

export interface Poller {
  /** Extends polling to `watchMs` from now, and starts it when it rests. */
  wake(): void;
  /**
   * Polls without waiting any longer, and extends polling as `wake` does. Resolves when the poll has ended;
   * joins one in flight.
   */
  runNow(): Promise<void>;
  /** Nothing is scheduled and nothing runs until the next request. */
  isResting(): boolean;
  /** Stops polling for good; a poll in flight ends on its own. */
  close(): void;
}

/**
 * Runs `poll` again and again while the feed is in use, one at a time. `poll` returns the delay before the
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
  let running: Promise<void> | null = null;
  let isClosed = false;
  let cancel: (() => void) | null = null;

  const runIfWatched = (): void => {
    cancel = null;
    if (isClosed || elapsed() - askedAtMs > watchMs) return;
    running = poll().then((delayMs) => {
      running = null;
      if (!isClosed) cancel = schedule(runIfWatched, delayMs);
    });
  };

  const isResting = (): boolean => !isClosed && running === null && cancel === null;

  return {
    isResting,
    wake: () => {
      askedAtMs = elapsed();
      if (isResting()) runIfWatched();
    },
    runNow: async () => {
      askedAtMs = elapsed();
      if (running === null) {
        cancel?.();
        runIfWatched();
      }
      await running;
    },
    close: () => {
      isClosed = true;
      cancel?.();
      cancel = null;
    },
  };
};

/** More than a clock is slewed between two polls. */
const STEP_MS = 5000;

/**
 * Detects that the server's wall clock was set: by how much it moved since the last call beyond the monotonic
 * time, in ms; 0 while it only runs. A suspended machine looks like a clock that was set forward.
 */
export const createClockWatch = ({ now, elapsed }: { now: () => number; elapsed: () => number }) => {
  let heldMs = now() - elapsed();
  return {
    readStepMs(): number {
      const aheadMs = now() - elapsed();
      const stepMs = aheadMs - heldMs;
      heldMs = aheadMs;
      return Math.abs(stepMs) < STEP_MS ? 0 : stepMs;
    },
  };
};
