import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distanceM, wrapLng } from '@/lib/geo/geodesy';
import { centerOf } from './polygon';
import { SiteIndex, areaM2, boundsOf, outsideM, signedDistanceM } from './geofence';
import { siteShapeSchema, type SiteShape } from './site';

/** A degree of latitude is 111,195 m, one of longitude at 60° half as long. */
const KM = 1000 / 111_195;
const SQUARE: SiteShape = {
  type: 'polygon',
  corners: [
    [60, 10],
    [60, 10 + 2 * KM],
    [60 + KM, 10 + 2 * KM],
    [60 + KM, 10],
  ],
};
/** A yard in the form of a U that is open to the north, 300 m wide. */
const U_SHAPE: SiteShape = {
  type: 'polygon',
  corners: [
    [0, 0],
    [0, 0.3 * KM],
    [0.3 * KM, 0.3 * KM],
    [0.3 * KM, 0.2 * KM],
    [0.1 * KM, 0.2 * KM],
    [0.1 * KM, 0.1 * KM],
    [0.3 * KM, 0.1 * KM],
    [0.3 * KM, 0],
  ],
};

it('a polygon ends at its edges, and a position beside it is as far off as the nearest one', () => {
  expect(signedDistanceM(SQUARE, { lat: 60 + KM / 2, lng: 10 + KM })).toBeCloseTo(-500, 0);
  expect(signedDistanceM(SQUARE, { lat: 60 + KM / 2, lng: 10 + 0.2 * KM })).toBeCloseTo(-100, 0);
  expect(outsideM(SQUARE, { lat: 60 + KM / 2, lng: 10 + KM })).toBe(0);
  expect(outsideM(SQUARE, { lat: 60, lng: 10 })).toBe(0);
  expect(outsideM(SQUARE, { lat: 60 - KM, lng: 10 + KM })).toBeCloseTo(1000, 0);
  expect(outsideM(SQUARE, { lat: 60 - 0.3 * KM, lng: 10 - 0.8 * KM })).toBeCloseTo(500, -1);
});

it('the mouth of a yard in the form of a U is outside', () => {
  expect(outsideM(U_SHAPE, { lat: 0.2 * KM, lng: 0.15 * KM })).toBeCloseTo(50, 0);
  expect(signedDistanceM(U_SHAPE, { lat: 0.2 * KM, lng: 0.05 * KM })).toBeCloseTo(-50, 0);
});

it('a circle ends where the great circle says so', () => {
  const circle: SiteShape = { type: 'circle', lat: 60, lng: 10, radiusM: 1000 };
  expect(signedDistanceM(circle, { lat: 60, lng: 10 })).toBe(-1000);
  expect(outsideM(circle, { lat: 60 + 1.5 * KM, lng: 10 })).toBeCloseTo(500, 0);
});

it('areas are those of the sphere', () => {
  expect(areaM2({ type: 'circle', lat: 60, lng: 10, radiusM: 100 })).toBeCloseTo(31_416, 0);
  expect(areaM2(SQUARE)).toBeCloseTo(1e6, -3);
  expect(areaM2(U_SHAPE)).toBeCloseTo(0.07e6, -2);
  const octant: SiteShape = {
    type: 'polygon',
    corners: [
      [0, 0],
      [0, 90],
      [85, 90],
      [85, 0],
    ],
  };
  expect(areaM2(octant) / ((Math.PI / 2) * 6_371_008.8 ** 2 * Math.sin((85 * Math.PI) / 180))).toBeCloseTo(1);
});

const position = fc.record({
  lat: fc.double({ min: 29.8, max: 30.2, noNaN: true }),
  lng: fc.double({ min: -98.2, max: -97.8, noNaN: true }),
});
/** Corners in their order about their middle, so that no two sides cross. */
const toRing = (corners: readonly { lat: number; lng: number }[]): [number, number][] => {
  const middle = { lat: 0, lng: 0 };
  for (const { lat, lng } of corners) {
    middle.lat += lat / corners.length;
    middle.lng += lng / corners.length;
  }
  const angleOf = ({ lat, lng }: { lat: number; lng: number }) =>
    Math.atan2(lat - middle.lat, lng - middle.lng);
  return [...corners].sort((a, b) => angleOf(a) - angleOf(b)).map(({ lat, lng }) => [lat, lng]);
};
const shape: fc.Arbitrary<SiteShape> = fc.oneof(
  fc
    .record({ at: position, radiusM: fc.integer({ min: 10, max: 5000 }) })
    .map(({ at, radiusM }) => ({ type: 'circle' as const, ...at, radiusM })),
  fc
    .array(position, { minLength: 3, maxLength: 9 })
    .map((corners) => ({ type: 'polygon' as const, corners: toRing(corners) }))
    .filter((each) => siteShapeSchema.safeParse(each).success),
);

it('any two positions differ in their distance from a shape by no more than they are apart', () => {
  fc.assert(
    fc.property(shape, position, position, (each, a, b) => {
      const apartM = Math.abs(signedDistanceM(each, a) - signedDistanceM(each, b));
      expect(apartM).toBeLessThanOrEqual(distanceM(a, b) * 1.01 + 1);
    }),
  );
});

it('a shape lies in its box', () => {
  fc.assert(
    fc.property(shape, position, (each, at) => {
      const [south, west, north, east] = boundsOf(each);
      const isInBox = at.lat >= south && at.lat <= north && at.lng >= west && at.lng <= east;
      if (outsideM(each, at) === 0) expect(isInBox).toBe(true);
    }),
  );
});

it('the index finds each site whose margin a position is in', () => {
  const sites = fc.array(fc.record({ shape, marginM: fc.integer({ min: 0, max: 1000 }) }), { maxLength: 20 });
  const within = fc.integer({ min: 0, max: 2000 });
  fc.assert(
    fc.property(sites, position, within, (each, at, withinM) => {
      const index = new SiteIndex(each);
      const found = index.near(at, withinM);
      if (index.near(at).length > 0) expect(index.mayBeNear(at.lat, at.lng)).toBe(true);
      each.forEach(({ shape: of, marginM }, place) => {
        if (outsideM(of, at) <= (marginM + withinM) * 0.99) expect(found).toContain(place);
      });
    }),
  );
});

it('the index leaves out sites that are far away', () => {
  const site = { shape: SQUARE, marginM: 100 };
  expect(new SiteIndex([site]).near({ lat: 60 - 0.2 * KM, lng: 10 })).toEqual([]);
  expect(new SiteIndex([site]).near({ lat: 60 - 0.2 * KM, lng: 10 }, 120)).toEqual([0]);
  expect(new SiteIndex([site]).mayBeNear(60.2, 10)).toBe(false);
  expect(new SiteIndex([]).mayBeNear(60, 10)).toBe(false);
});

/** Turns a shape about the Earth's axis, with its longitudes from -180 to 180 again. */
const turned = (shape: SiteShape, byDeg: number): SiteShape =>
  shape.type === 'circle'
    ? { ...shape, lng: wrapLng(shape.lng + byDeg) }
    : {
        type: 'polygon',
        corners: shape.corners.map(([lat, lng]) => [lat, wrapLng(lng + byDeg)] as [number, number]),
      };

it('a shape across the 180th meridian is what it would be elsewhere', () => {
  const shapes: SiteShape[] = [
    SQUARE,
    {
      type: 'polygon',
      corners: [
        [51.9, 9.6],
        [51.9, 10.5],
        [52.2, 10.1],
        [52, 9.9],
      ],
    },
    { type: 'circle', lat: 52, lng: 10, radiusM: 20_000 },
  ];
  const degrees = fc.double({ min: -0.9, max: 0.9, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...shapes), degrees, degrees, degrees, (shape, atDeg, north, east) => {
      // The meridian is somewhere in the shape, or beside it.
      const byDeg = 170 + atDeg;
      const across = turned(shape, byDeg);
      expect(siteShapeSchema.safeParse(across).error).toBeUndefined();
      expect(areaM2(across) / areaM2(shape)).toBeCloseTo(1, 6);
      const [center, centerAcross] = [centerOf(shape), centerOf(across)];
      expect(distanceM({ ...center, lng: center.lng + byDeg }, centerAcross)).toBeLessThan(1);
      const at = { lat: center.lat + north, lng: center.lng + east };
      const atAcross = { lat: at.lat, lng: wrapLng(at.lng + byDeg) };
      expect(signedDistanceM(across, atAcross)).toBeCloseTo(signedDistanceM(shape, at), 3);
      const [index, indexAcross] = [shape, across].map(
        (each) => new SiteIndex([{ shape: each, marginM: 75 }]),
      );
      for (const withinM of [0, 30_000])
        expect(indexAcross!.near(atAcross, withinM)).toEqual(index!.near(at, withinM));
      if (signedDistanceM(shape, at) <= 75)
        expect(indexAcross!.mayBeNear(atAcross.lat, atAcross.lng)).toBe(true);
    }),
  );
});
