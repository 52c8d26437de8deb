import 'server-only';

/** Schedules a callback; the returned function cancels it. */
export type Schedule = (run: () => void, delayMs: number) => () => void;

/** The process's own timers, which do not keep it alive. */
export const scheduleTimeout: Schedule = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Resolves with the promise or after `ms`, whichever comes first. */
export const settleWithin = (promise: Promise<unknown>, ms: number, schedule: Schedule): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = schedule(resolve, ms);
    promise.then(() => resolve(), reject).finally(cancel);
  });
