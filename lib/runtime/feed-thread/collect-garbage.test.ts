import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCollector } from './collect-garbage';

const INTERVAL_MS = 20;

/** Whether what a poll left behind is gone some time after it. */
const isCollected = async (afterPoll: () => void): Promise<boolean> => {
  const left = new WeakRef({ text: 'a poll' });
  // Until the end of this task a WeakRef holds what it was given.
  await sleep(0);
  afterPoll();
  // Looked at once: whoever looks holds it.
  await sleep(50 * INTERVAL_MS);
  return left.deref() === undefined;
};

it('collects what the poll of a large fleet left behind, halfway to the next', async () => {
  const collector = createCollector(INTERVAL_MS);
  expect(await isCollected(() => collector.afterPoll(100_000))).toBe(true);
});

it('collects what smaller fleets left behind once in a while', async () => {
  const collector = createCollector(INTERVAL_MS, 5 * INTERVAL_MS);
  await sleep(5 * INTERVAL_MS);
  expect(await isCollected(() => collector.afterPoll(1000))).toBe(true);
});
