import { describe, expect, it } from 'vitest';
import { badgeWidthPx, toCountText } from './badge';

describe('toCountText', () => {
  it.each([
    [2, '2'],
    [999, '999'],
    [1000, '1k'],
    [1249, '1.2k'],
    [9949, '9.9k'],
    [9950, '10k'],
    [34_499, '34k'],
    [99_499, '99k'],
    [99_500, '0.1M'],
    [250_000, '0.3M'],
  ])('writes %i as %s', (count, text) => {
    expect(toCountText(count)).toBe(text);
  });
});

describe('badgeWidthPx', () => {
  it('is a circle for one digit and no wider than two glyphs lie apart for any count', () => {
    expect(badgeWidthPx('7')).toBe(15);
    for (const count of [10, 999, 1000, 9900, 88_000, 100_000]) {
      expect(badgeWidthPx(toCountText(count))).toBeLessThanOrEqual(30);
    }
  });
});
