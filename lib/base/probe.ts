import type { Clock } from './clock';

/** A check that is repeated, by its readers or by a timer; two never run at once. */
export interface Probe {
  /** Checks now, or waits for the check that runs. */
  check: () => Promise<void>;
  /** Checks in the background if the last check is older than the interval. */
  refresh: () => void;
  /** Checks now, and again one interval after each check, until the returned function is called. */
  repeat: () => () => void;
}

/** @param run one check, which never rejects */
export const createProbe = (
  run: () => Promise<void>,
  { everyMs, clock }: { everyMs: number; clock: Pick<Clock, 'monotonicMs' | 'setTimer'> },
): Probe => {
  let checkedAtMs = -Infinity;
  let checking: Promise<void> | null = null;
  const check = (): Promise<void> =>
    (checking ??= run().finally(() => {
      checkedAtMs = clock.monotonicMs();
      checking = null;
    }));
  return {
    check,
    refresh: () => {
      if (clock.monotonicMs() - checkedAtMs >= everyMs) void check();
    },
    repeat: () => {
      let isStopped = false;
      let cancel = (): void => undefined;
      const checkAgain = async (): Promise<void> => {
        await check();
        if (!isStopped) cancel = clock.setTimer(() => void checkAgain(), everyMs);
      };
      void checkAgain();
      return () => {
        isStopped = true;
        cancel();
      };
    },
  };
};
