/** Time as one object, so that a test sets all of it together. */
export interface Clock {
  /** Wall clock, Unix ms: for dates that are shown or stored. It may be set at any moment. */
  nowMs(): number;
  /** Monotonic time in ms, for waits and durations. */
  monotonicMs(): number;
  /** Calls `run` once after `delayMs`; the returned function cancels it. */
  setTimer(run: () => void, delayMs: number): () => void;
}

/** The clock of this process. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer: (run, delayMs) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves with the promise or after `ms`, whichever comes first; rejects as the promise does. */
export const resolveWithin = (promise: Promise<unknown>, ms: number, clock: Clock): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = clock.setTimer(resolve, ms);
    promise.then(() => resolve(), reject).finally(cancel);
  });
