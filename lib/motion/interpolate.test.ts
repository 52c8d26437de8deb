import { expect, test } from 'vitest';
import { interpolate } from './interpolate';

const amarillo = { lat: 35.19, lng: -101.85 };
const tucumcari = { lat: 35.17, lng: -103.73 };

test('returns both ends exactly', () => {
  expect(interpolate(amarillo, tucumcari, 0)).toEqual(amarillo);
  expect(interpolate(amarillo, tucumcari, 1)).toEqual(tucumcari);
});

test('never leaves the range between the ends', () => {
  expect(interpolate(amarillo, tucumcari, 1.7)).toEqual(tucumcari);
  expect(interpolate(amarillo, tucumcari, -3)).toEqual(amarillo);
});

test('is in the middle at one half', () => {
  const middle = interpolate(amarillo, tucumcari, 0.5);
  expect(middle.lat).toBeCloseTo(35.18, 9);
  expect(middle.lng).toBeCloseTo(-102.79, 9);
});

test('takes the short way across the antimeridian, in both directions', () => {
  const west = { lat: 51, lng: 179 };
  const east = { lat: 53, lng: -177 };
  expect(interpolate(west, east, 0.25).lng).toBeCloseTo(180, 9);
  expect(interpolate(west, east, 0.5)).toEqual({ lat: 52, lng: -179 });
  expect(interpolate(east, west, 0.875).lng).toBeCloseTo(179.5, 9);
});
