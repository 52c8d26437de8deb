import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCollector } from './collect-garbage';

const INTERVAL_MS = 20;
const MB = 1e6;

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

it('collects what polls left behind, halfway to the next', async () => {
  const collector = createCollector(INTERVAL_MS, () => 100 * MB);
  expect(await isCollected(() => collector.afterPoll())).toBe(true);
});

it.each([
  { keptMb: 300, atMb: 389, collects: false },
  { keptMb: 300, atMb: 391, collects: true },
  { keptMb: 20, atMb: 35, collects: false },
  { keptMb: 20, atMb: 37, collects: true },
])('of $keptMb MB that are kept, at $atMb MB: $collects', async ({ keptMb, atMb, collects }) => {
  let heapMb = 1000;
  let readings = 0;
  const collector = createCollector(INTERVAL_MS, () => {
    readings++;
    return heapMb * MB;
  });
  collector.afterPoll();
  heapMb = keptMb;
  // Once before it collects, once after.
  await expect.poll(() => readings).toBe(2);
  heapMb = atMb;
  collector.afterPoll();
  await sleep(5 * INTERVAL_MS);
  expect(readings).toBe(collects ? 4 : 3);
});
