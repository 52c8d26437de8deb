import { expect, test } from 'vitest';
import { toRetryDelayMs } from './backoff';

const settings = { maxBackoffMs: 120_000, maxRetryAfterMs: 3_600_000 };
const delay = (failures: number, retryAfterMs: number | null = null, random = 0.5) =>
  toRetryDelayMs(failures, 10_000, retryAfterMs, random, settings);

test('doubles with each failure up to two minutes', () => {
  expect([1, 2, 3, 4, 5, 6, 5000].map((failures) => delay(failures))).toEqual([
    10_000, 20_000, 40_000, 80_000, 120_000, 120_000, 120_000,
  ]);
});

test('is randomly a quarter shorter or longer', () => {
  expect(delay(1, null, 0)).toBe(7500);
  expect(delay(1, null, 0.999999)).toBeCloseTo(12_500, -1);
});

test('is never shorter than the provider’s Retry-After, within an hour', () => {
  expect(delay(1, 600_000, 0)).toBe(600_000);
  expect(delay(5, 1000)).toBe(120_000);
  expect(delay(1, 86_400_000)).toBe(3_600_000);
});

test('is never shorter than a poll interval that exceeds the longest back-off', () => {
  expect(toRetryDelayMs(3, 600_000, null, 0.5, settings)).toBe(600_000);
});
