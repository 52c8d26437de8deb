import { expect, test, vi } from 'vitest';
import { repeat } from './clock';

/** Timers that a test lets go off. */
const createTimers = () => {
  const timers: { run: () => void; delayMs: number }[] = [];
  const setTimer = (run: () => void, delayMs: number) => {
    const timer = { run, delayMs };
    timers.push(timer);
    return () => void timers.splice(timers.indexOf(timer), 1);
  };
  return { setTimer, timers };
};

test('runs at once and again after each run, one at a time', async () => {
  const { setTimer, timers } = createTimers();
  let end = (): void => undefined;
  const run = vi.fn(() => new Promise<void>((resolve) => (end = resolve)));
  repeat({ setTimer }, 1000, run);
  expect(run).toHaveBeenCalledTimes(1);
  expect(timers).toEqual([]);
  end();
  await vi.waitFor(() => expect(timers.map(({ delayMs }) => delayMs)).toEqual([1000]));
  timers.pop()!.run();
  expect(run).toHaveBeenCalledTimes(2);
});

test('begins later where it is to, and ends after the run in progress', async () => {
  const { setTimer, timers } = createTimers();
  let end = (): void => undefined;
  const stop = repeat({ setTimer }, 1000, () => new Promise<void>((resolve) => (end = resolve)), 60);
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([60]);
  timers.pop()!.run();
  let hasEnded = false;
  const ended = stop().then(() => (hasEnded = true));
  await Promise.resolve();
  expect(hasEnded).toBe(false);
  end();
  await ended;
  expect(timers).toEqual([]);
});
