import { expect, test } from 'vitest';
import { bearingDeg, compassPoint, normalizeDeg } from './bearing';

const origin = { lat: 0, lng: 0 };

test('gives the bearings of the four quarters', () => {
  expect(bearingDeg(origin, { lat: 1, lng: 0 })).toBe(0);
  expect(bearingDeg(origin, { lat: 0, lng: 1 })).toBeCloseTo(90, 9);
  expect(bearingDeg(origin, { lat: -1, lng: 0 })).toBe(180);
  expect(bearingDeg(origin, { lat: 0, lng: -1 })).toBeCloseTo(270, 9);
});

test('gives the initial course of a great circle, not of a rhumb line', () => {
  // Los Angeles to New York, the formulary's own example: 66 degrees at the start.
  const lax = { lat: 33.95, lng: -118.4 };
  const jfk = { lat: 40.633333, lng: -73.783333 };
  expect(bearingDeg(lax, jfk)).toBeCloseTo(65.89, 1);
});

test('crosses the antimeridian the short way', () => {
  expect(bearingDeg({ lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 })).toBeCloseTo(90, 9);
});

test('is 0 for two equal points', () => {
  expect(bearingDeg({ lat: 30, lng: -97 }, { lat: 30, lng: -97 })).toBe(0);
});

test('keeps every angle in [0, 360)', () => {
  expect(normalizeDeg(-90)).toBe(270);
  expect(normalizeDeg(720)).toBe(0);
  expect(normalizeDeg(-360)).toBe(0);
  expect(normalizeDeg(-1e-15)).toBe(0);
});

test('names the nearest of sixteen or eight points', () => {
  expect(compassPoint(0)).toBe('N');
  expect(compassPoint(348.75)).toBe('N');
  expect(compassPoint(348.7)).toBe('NNW');
  expect(compassPoint(66)).toBe('ENE');
  expect(compassPoint(66, 8)).toBe('NE');
  expect(compassPoint(337.5, 8)).toBe('N');
  expect(compassPoint(-90, 8)).toBe('W');
});
