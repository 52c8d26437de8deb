import { expect, test } from 'vitest';
import { distanceM, interpolate, bearingDeg, compassPoint, joinBounds, toBounds } from './geodesy';

test('measures nothing between a point and itself', () => {
  expect(distanceM({ lat: 35.2, lng: -101.8 }, { lat: 35.2, lng: -101.8 })).toBe(0);
});

test('measures a degree of latitude as 111.195 km on the mean sphere', () => {
  expect(distanceM({ lat: 0, lng: 0 }, { lat: 1, lng: 0 })).toBeCloseTo(111_195.08, 1);
});

test('agrees with the published distance from New York to Los Angeles within 0.6 percent', () => {
  // 3,944 km on the WGS 84 ellipsoid between 40.7128,-74.0060 and 34.0522,-118.2437.
  const m = distanceM({ lat: 40.7128, lng: -74.006 }, { lat: 34.0522, lng: -118.2437 });
  expect(Math.abs(m / 3_944_422 - 1)).toBeLessThan(0.006);
});

test('is the same in both directions and across the antimeridian', () => {
  const west = { lat: 51.9, lng: 179.9 };
  const east = { lat: 51.9, lng: -179.9 };
  expect(distanceM(west, east)).toBeCloseTo(distanceM(east, west), 6);
  expect(distanceM(west, east)).toBeCloseTo(distanceM({ lat: 51.9, lng: 0 }, { lat: 51.9, lng: 0.2 }), 3);
});

test('resolves a meter', () => {
  expect(distanceM({ lat: 30, lng: -97 }, { lat: 30.00001, lng: -97 })).toBeCloseTo(1.112, 3);
});

test('measures antipodes as half the circumference, never as not a number', () => {
  expect(distanceM({ lat: 12.3, lng: 45.6 }, { lat: -12.3, lng: -134.4 })).toBeCloseTo(
    Math.PI * 6_371_008.8,
    0,
  );
});

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

test('is 0, never 360, where rounding turns a tiny negative angle into a full turn', () => {
  expect(bearingDeg(origin, { lat: 1, lng: -1e-17 })).toBe(0);
});

test('names the nearest of sixteen or eight points', () => {
  expect(compassPoint(0)).toBe('N');
  expect(compassPoint(348.75)).toBe('N');
  expect(compassPoint(348.7)).toBe('NNW');
  expect(compassPoint(66)).toBe('ENE');
  expect(compassPoint(66, 8)).toBe('NE');
  expect(compassPoint(337.5, 8)).toBe('N');
  expect(compassPoint(-90, 8)).toBe('W');
  expect(compassPoint(720)).toBe('N');
  expect(compassPoint(-360)).toBe('N');
});

test('finds the bounds of positions and of bounds', () => {
  const positions = [
    [35, -101],
    [32, -96],
    [33, -104],
  ] as const;
  expect(toBounds(positions)).toEqual([32, -104, 35, -96]);
  expect(
    joinBounds([
      [32, -104, 35, -96],
      [31, -100, 33, -90],
    ]),
  ).toEqual([31, -104, 35, -90]);
  expect(toBounds([])).toBeNull();
});
