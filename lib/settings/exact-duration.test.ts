import { expect, test } from 'vitest';
import { exactDurationWords, toAmount } from './exact-duration';

test.each([
  [0, 'at once'],
  [250, '0.25 seconds'],
  [1000, '1 second'],
  [90_000, '90 seconds'],
  [60_000, '1 minute'],
  [360_000, '6 minutes'],
  [3_600_000, '1 hour'],
  [86_400_000, '1 day'],
  [2 * 86_400_000, '2 days'],
  [25 * 3_600_000, '25 hours'],
])('%d ms is %s', (ms, words) => {
  expect(exactDurationWords(ms)).toBe(words);
  const { amount, unit } = toAmount(ms);
  expect(amount * unit.ms).toBe(ms);
});
