import { expect } from 'vitest';

/**
 * A stopwatch that reads ms of work: of wall time and the process's processor time the shorter one, because a busy
 * machine lengthens the first, and other threads the second.
 */
export const startStopwatch = (): (() => number) => {
  const startedAtMs = performance.now();
  const startedCpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startedCpu);
    return Math.min(performance.now() - startedAtMs, (user + system) / 1000);
  };
};

/** The result of `run`, which must come within `limitMs` of work. */
export const expectWithin = <T>(limitMs: number, run: () => T): T => {
  const readMs = startStopwatch();
  const result = run();
  expect(readMs()).toBeLessThan(limitMs);
  return result;
};
