import type { Clock } from './clock';

/** A check that its readers repeat; two never run at once. The next reader repeats one that has rejected. */
export interface Probe {
  /** Checks now, or waits for the check that runs. Never rejects. */
  check: () => Promise<void>;
  /** Checks in the background if the last check is older than the interval. */
  refresh: () => void;
}

export const createProbe = (
  run: () => Promise<void>,
  { everyMs, clock }: { everyMs: number; clock: Pick<Clock, 'monotonicMs'> },
): Probe => {
  let checkedAtMs = -Infinity;
  let checking: Promise<void> | null = null;
  const runOnce = async (): Promise<void> => {
    try {
      await run();
      checkedAtMs = clock.monotonicMs();
    } catch {
      // The next reader checks again.
    }
  };
  const check = (): Promise<void> => (checking ??= runOnce().finally(() => void (checking = null)));
  return {
    check,
    refresh: () => {
      if (clock.monotonicMs() - checkedAtMs >= everyMs) void check();
    },
  };
};
