import { describe, expect, it } from 'vitest';
import { metersPerPixel, toScaleBars } from './scale-bar';

describe('metersPerPixel', () => {
  it('is 156.5 km at the equator at zoom 0 and half of it at 60° N', () => {
    expect(metersPerPixel(0, 0)).toBeCloseTo(156_543.03, 1);
    expect(metersPerPixel(60, 0)).toBeCloseTo(156_543.03 / 2, 1);
  });
});

describe('toScaleBars', () => {
  it.each([
    [4, '200 mi', '500 km'],
    [9, '10 mi', '20 km'],
    [13, '2,000 ft', '1 km'],
    [17, '200 ft', '50 m'],
  ])('is round in miles and kilometers at zoom %i', (zoom, us, metric) => {
    expect(toScaleBars(38, zoom, 96).map(({ text: words }) => words)).toEqual([us, metric]);
  });

  it('is as wide as the distance that it names', () => {
    const [us] = toScaleBars(38, 9, 96);
    expect(us.widthPx * metersPerPixel(38, 9)).toBeCloseTo(10 * 1609.344, 6);
    expect(us.widthPx).toBeLessThanOrEqual(96);
  });
});
