import { describe, expect, it } from 'vitest';
import { toLine, toNamedPoints, unrollRing } from './encode';
import { fromDifferences, toWorld } from '@/lib/geo/base-map/basemap-file';

const HERE = [-100, 40];
const ALL_BUT_HERE = [-100.00001, 40];
const THERE = [-99, 41];

describe('toLine', () => {
  it('begins with a point and goes on with differences', () => {
    const [x, y] = toWorld(-100, 40);
    const [x2, y2] = toWorld(-99, 41);
    expect(toLine([HERE, THERE], 2)).toEqual([x, y, x2 - x, y2 - y]);
  });

  it('leaves out points that fall together, and lines of which too little is left', () => {
    expect(toLine([HERE, ALL_BUT_HERE, THERE], 2)).toHaveLength(4);
    expect(toLine([HERE, ALL_BUT_HERE], 2)).toBeNull();
  });
});

describe('unrollRing', () => {
  it('leaves a ring alone that does not cross the antimeridian', () => {
    const ring = [HERE, THERE, [-99, 40], HERE];
    expect(unrollRing(ring)).toEqual([ring]);
  });

  it('shows both parts of one that does', () => {
    const [east, west] = unrollRing([170, -170, -170, 170].map((lng, i) => [lng, i]));
    expect(east!.map(([lng]) => lng)).toEqual([170, 190, 190, 170]);
    expect(west!.map(([lng]) => lng)).toEqual([-190, -170, -170, -190]);
  });
});

describe('toNamedPoints', () => {
  it('packs names and places so that they come back in order', () => {
    const packed = toNamedPoints([
      { name: 'Tulsa', lng: -95.99, lat: 36.15 },
      { name: 'Amarillo', lng: -101.83, lat: 35.22 },
    ]);
    expect(packed.names.split('\n')).toEqual(['Tulsa', 'Amarillo']);
    expect([...fromDifferences(packed.x)]).toEqual([toWorld(-95.99, 36.15)[0], toWorld(-101.83, 35.22)[0]]);
    expect([...fromDifferences(packed.y)]).toEqual([toWorld(-95.99, 36.15)[1], toWorld(-101.83, 35.22)[1]]);
  });
});
