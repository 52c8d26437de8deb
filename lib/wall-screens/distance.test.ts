import { expect, it } from 'vitest';
import { LEAST_ARC_MIN, SCREEN_DISTANCES, toArcMin, toTypeVh } from './distance';

it('an inch of letter height for 30 feet is 9.5 minutes of arc', () => {
  expect(LEAST_ARC_MIN).toBeCloseTo(9.55, 2);
  // A letter of an inch on a picture of 27 inches, read from 30 feet.
  const [inchM, heightM] = [0.0254, 0.685];
  const typePx = ((inchM / heightM) * 1080) / 0.7;
  expect(toArcMin(typePx, 1080, 'wall')).toBeCloseTo((LEAST_ARC_MIN * 9.144) / 5, 1);
});

it.each(SCREEN_DISTANCES)(
  'the smallest type of a %s screen is readable at 1080 and at 2160 lines',
  (distance) => {
    for (const lines of [1080, 2160])
      expect(toArcMin((toTypeVh(distance) / 100) * lines, lines, distance)).toBeGreaterThan(LEAST_ARC_MIN);
  },
);

it('type grows with the distance', () => {
  expect(SCREEN_DISTANCES.map((distance) => Math.round(toTypeVh(distance) * 10.8))).toEqual([15, 33, 48]);
});
