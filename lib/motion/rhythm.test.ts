import { expect, test } from 'vitest';
import { toUsualIntervalMs } from './rhythm';

test('is null for too few intervals', () => {
  expect(toUsualIntervalMs([], 0)).toBeNull();
  expect(toUsualIntervalMs([30_000, 30_000], 3)).toBeNull();
});

test('takes the median, so that one dead zone changes nothing', () => {
  expect(toUsualIntervalMs([30_000, 1_800_000, 31_000, 30_000, 29_000], 3)).toBe(30_000);
});

test('takes the mean of the middle two of an even number', () => {
  expect(toUsualIntervalMs([60_000, 20_000, 40_000, 10_000], 3)).toBe(30_000);
});

test('does not reorder its argument', () => {
  const intervals = [3, 1, 2];
  toUsualIntervalMs(intervals, 3);
  expect(intervals).toEqual([3, 1, 2]);
});
