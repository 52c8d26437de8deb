import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCollector } from './collect-garbage';

const INTERVAL_MS = 20;

it('collects what the poll of a large fleet left behind, halfway to the next', async () => {
  const left = new WeakRef({ text: 'a poll' });
  // Until the end of this task a WeakRef holds what it was given.
  await sleep(0);
  createCollector(INTERVAL_MS).afterPoll(100_000);
  // Looked at once: whoever looks holds it.
  await sleep(50 * INTERVAL_MS);
  expect(left.deref() === undefined).toBe(true);
});
