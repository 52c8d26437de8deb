import { expect, it } from 'vitest';
import { toBackoffMs } from './time';

it('doubles a wait with each failure, up to the longest', () => {
  expect([1, 2, 3, 4, 2000].map((failures) => toBackoffMs(failures, 500, 3000))).toEqual([
    500, 1000, 2000, 3000, 3000,
  ]);
});
