import 'server-only';
import type { Schedule } from '../schedule';

export interface Poller {
  /** Somebody asks: polling goes on for `watchMs` from now, and starts when it rests. */
  wake(): void;
  /** Polls without waiting any longer, and counts as a wake. Resolves when the poll has ended; joins one under way. */
  runNow(): Promise<void>;
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

/** Further than a clock is slewed between two polls. */
const STEP_MS = 5000;

/**
 * Tells when the server's clock was set: by how much it moved, in ms, since the last call, beyond the time that went
 * by on a clock that nobody sets; 0 while it only runs. A machine that slept looks like one whose clock was put forward.
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
