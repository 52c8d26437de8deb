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

/**
 * What a parser gives for one generated input, within a second: it takes milliseconds, a garbage collection of the whole
 * process beside it some hundred, and an input whose cost grows faster than its length many seconds.
 */
export const expectInTime = <T>(run: () => T): T => {
  const readMs = startStopwatch();
  const result = run();
  expect(readMs()).toBeLessThan(1000);
  return result;
};

/** The shortest of five runs in ms of work: garbage collection and compilation lengthen single ones. */
export const shortestMs = (run: () => void): number =>
  Math.min(
    ...Array.from({ length: 5 }, () => {
      const readMs = startStopwatch();
      run();
      return readMs();
    }),
  );
