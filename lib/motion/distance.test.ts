import { expect, test } from 'vitest';
import { distanceM } from './distance';

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
