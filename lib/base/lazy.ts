import { systemClock, type Clock } from './clock';

/** Something that is opened at its first use, such as a pool of connections. */
export interface Lazy<T> {
  /** Concurrent calls share one opening; after a failure the next call opens again. */
  open: () => Promise<T>;
  /** Ends what is open or being opened. A later call of `open` returns the ended one. */
  close: (end: (opened: T) => unknown) => Promise<void>;
}

/** Opens by `start`; for `pauseMs` after a failure, each call rejects with that failure instead. */
export const createLazy = <T>(
  start: () => Promise<T>,
  { pauseMs = 0, clock = systemClock }: { pauseMs?: number; clock?: Pick<Clock, 'monotonicMs'> } = {},
): Lazy<T> => {
  let opening: Promise<T> | null = null;
  let failedAtMs = Infinity;
  return {
    open: () => {
      const isDue = failedAtMs !== Infinity && clock.monotonicMs() - failedAtMs >= pauseMs;
      if (opening !== null && !isDue) return opening;
      failedAtMs = Infinity;
      opening = (async () => start())();
      opening.catch(() => (failedAtMs = clock.monotonicMs()));
      return opening;
    },
    close: async (end) => {
      const opened = await opening?.then(
        (value) => ({ value }),
        () => null,
      );
      if (opened) await end(opened.value);
    },
  };
};
