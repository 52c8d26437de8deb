import { describe, expect, it } from 'vitest';
import { median, percentile, toSpread } from './statistics';

describe('percentile', () => {
  it('is the smallest sample at or above the share, whatever the order', () => {
    const samples = [9, 1, 5, 7, 3, 10, 2, 8, 4, 6];
    expect(percentile(samples, 0.99)).toBe(10);
    expect(percentile(samples, 0.9)).toBe(9);
    expect(percentile(samples, 0)).toBe(1);
    expect(median(samples)).toBe(5);
    expect(percentile([], 0.5)).toBeNaN();
  });

  it('comes with the least and the most', () => {
    expect(toSpread([4, 2, 8])).toEqual({ median: 4, least: 2, most: 8 });
  });
});
