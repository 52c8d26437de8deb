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

/**
 * Calls `run` at once, or after `firstMs`, and `everyMs` after each run has ended. The returned function stops that, and
 * resolves once a run in progress has ended. `run` must not reject.
 */
export const repeat = (
  clock: Pick<Clock, 'setTimer'>,
  everyMs: number,
  run: () => unknown,
  firstMs = 0,
): (() => Promise<void>) => {
  let isStopped = false;
  let running: unknown;
  let cancel = (): void => undefined;
  const start = async (): Promise<void> => {
    running = run();
    await running;
    if (!isStopped) cancel = clock.setTimer(() => void start(), everyMs);
  };
  if (firstMs === 0) void start();
  else cancel = clock.setTimer(() => void start(), firstMs);
  return async () => {
    isStopped = true;
    cancel();
    await running;
  };
};

/** Resolves with the promise or after `ms`, whichever comes first; rejects as the promise does. */
export const resolveWithin = (promise: Promise<unknown>, ms: number, clock: Clock): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = clock.setTimer(resolve, ms);
    promise.then(() => resolve(), reject).finally(cancel);
  });
