import { expect, it } from 'vitest';
import { boundsOfShapes } from './site-bounds';

const circleAt = (lat: number, lng: number) => ({ type: 'circle' as const, lat, lng, radiusM: 100 });

it('shows sites on both sides of the date line by the shorter way', () => {
  const [, west, , east] = boundsOfShapes([circleAt(13.48, 144.75), circleAt(21.3, -157.86)])!;
  expect(west).toBeLessThan(144.75 - 360);
  expect(east - west).toBeLessThan(61);
});
