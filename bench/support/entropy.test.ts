import { describe, expect, it } from 'vitest';
import { toEntropyBits } from './entropy';

describe('toEntropyBits', () => {
  it('is one bit for each toss of a fair coin, and none for what is always the same', () => {
    expect(toEntropyBits([0, 1, 1, 0])).toBeCloseTo(4);
    expect(toEntropyBits([7, 7, 7])).toBeCloseTo(0);
    expect(toEntropyBits([])).toBe(0);
  });

  it('is what an uneven die says: three quarters and one quarter', () => {
    expect(toEntropyBits([1, 1, 1, 2])).toBeCloseTo(4 * (0.75 * Math.log2(4 / 3) + 0.25 * 2));
  });
});
