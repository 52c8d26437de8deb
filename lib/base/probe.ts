import type { Clock } from './clock';

/** A check that its readers repeat; two never run at once. */
export interface Probe {
  /** Checks now, or waits for the check that runs. */
  check: () => Promise<void>;
  /** Checks in the background if the last check is older than the interval. */
  refresh: () => void;
}

/** @param run one check, which never rejects */
export const createProbe = (
  run: () => Promise<void>,
  { everyMs, clock }: { everyMs: number; clock: Pick<Clock, 'monotonicMs'> },
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
  };
};
