import fc from 'fast-check';
import { expect, it } from 'vitest';
import { METERS_PER_DEGREE, sphericalAreaM2 } from '@/lib/geo/geodesy';
import { METERS_PER_MILE, type LatLng } from '@/lib/geo/units';
import { areaText, lengthText, measure } from './measure-text';

it('gives a length in miles and feet, an area in square miles and square feet', () => {
  expect(lengthText(METERS_PER_MILE)).toBe('1 mi · 5,280 ft');
  expect(lengthText(125)).toBe('0.078 mi · 410 ft');
  expect(lengthText(METERS_PER_MILE * 1021)).toBe('1,021 mi');
  expect(areaText(METERS_PER_MILE ** 2 * 133_300)).toBe('133,300 sq mi');
  expect(areaText(METERS_PER_MILE ** 2 * 2)).toBe('2 sq mi · 55,756,800 sq ft');
});

it('measures a line from two points on, an area from three on', () => {
  const [a, b, c] = [
    { lat: 37, lng: -94 },
    { lat: 37, lng: -94.01 },
    { lat: 37.01, lng: -94 },
  ];
  expect(measure([a!])).toEqual({ length: null, area: null });
  expect(measure([a!, b!])).toMatchObject({ length: '0.55 mi · 2,914 ft', area: null });
  expect(measure([a!, b!, c!]).area).toBe('0.19 sq mi · 5,314,119 sq ft');
});

const corner = fc.record({
  lat: fc.double({ min: -60, max: 70, noNaN: true }),
  lng: fc.double({ min: -179, max: 179, noNaN: true }),
});

it('an area is the same from each corner on and either way round, and is cut in two by a diagonal', () => {
  fc.assert(
    fc.property(fc.tuple(corner, corner, corner), (corners) => {
      const area = sphericalAreaM2(corners);
      const [a, b, c] = corners;
      expect(sphericalAreaM2([b, c, a])).toBeCloseTo(area, -3);
      expect(sphericalAreaM2([c, b, a])).toBeCloseTo(area, -3);
      expect(sphericalAreaM2([a, b])).toBeCloseTo(0, -3);
    }),
  );
});

it('a small rectangle has the product of its sides as its area', () => {
  fc.assert(
    fc.property(corner, fc.double({ min: 1e-4, max: 0.1, noNaN: true }), ({ lat, lng }, side) => {
      const corners: LatLng[] = [
        { lat, lng },
        { lat, lng: lng + side },
        { lat: lat + side, lng: lng + side },
        { lat: lat + side, lng },
      ];
      const wide = side * METERS_PER_DEGREE * Math.cos(((lat + side / 2) * Math.PI) / 180);
      expect(sphericalAreaM2(corners) / (wide * side * METERS_PER_DEGREE)).toBeCloseTo(1, 3);
    }),
  );
});
