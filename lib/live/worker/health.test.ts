import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createVitalsWatch } from './health';

/**
 * The measurement samples every 20 ms, and begins with the second sample; reading it earlier would restart
 * it.
 */
const untilLookedAt = () => delay(120);

const blockFor = (ms: number): void => {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
};

test('gives the longest delay and the times of encoding since the last reading, and restarts', async () => {
  const { take, noteEncoded } = createVitalsWatch();
  noteEncoded('encode', 4);
  noteEncoded('compress', 7);
  noteEncoded('encode', 5);
  await untilLookedAt();
  blockFor(300);
  await untilLookedAt();
  const told = take();
  expect(told).toMatchObject({ encodeMs: [4, 5], compressMs: [7] });
  expect(told.delayMaxMs).toBeGreaterThan(200);
  expect(told.heapUsedBytes).toBeGreaterThan(1_000_000);
  expect(take()).toMatchObject({ encodeMs: [], compressMs: [], delayMaxMs: 0 });
});

test('keeps a bounded number of times', () => {
  const { take, noteEncoded } = createVitalsWatch();
  for (let time = 0; time < 10_000; time++) noteEncoded('encode', 1);
  expect(take().encodeMs).toHaveLength(256);
});
