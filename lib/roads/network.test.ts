import { describe, expect, it } from 'vitest';
import { INTERSTATES, type Interstate } from './interstates';
import { createRoadNetwork, createRoute, positionOnRoute } from './network';
import { distanceM } from '@/lib/geo/geodesy';

const network = createRoadNetwork(INTERSTATES);

const lengthKm = (from: string, to: string) => (network.route(from, to)?.lengthM ?? Number.NaN) / 1000;

describe('createRoadNetwork', () => {
  it('has a route from Chicago to every terminal', () => {
    const cutOff = network.terminals.filter(({ place }) => !network.route('Chicago, IL', place));
    expect(cutOff).toEqual([]);
  });

  it.each([
    ['Dallas, TX', 'Atlanta, GA', 1250],
    ['Chicago, IL', 'New York, NY', 1270],
    ['Los Angeles, CA', 'Chicago, IL', 3240],
    ['Saint Louis, MO', 'Kansas City, MO', 400],
    ['Seattle, WA', 'Miami, FL', 5320],
  ])('drives from %s to %s in about %i km', (from, to, km) => {
    expect(lengthKm(from, to)).toBeGreaterThan(km * 0.9);
    expect(lengthKm(from, to)).toBeLessThan(km * 1.1);
  });

  it('has the same length in both directions, and begins and ends at the two places', () => {
    const there = network.route('Denver, CO', 'Nashville, TN')!;
    const back = network.route('Nashville, TN', 'Denver, CO')!;
    const denver = network.terminals.find(({ place }) => place === 'Denver, CO')!;
    expect(there.lengthM).toBeCloseTo(back.lengthM, 3);
    expect(there.points[0]).toEqual({ lat: denver.lat, lng: denver.lng });
    expect(there.points.at(-1)).toEqual(back.points[0]);
  });

  it('lists each place once', () => {
    expect(new Set(network.terminals.map(({ place }) => place)).size).toBe(network.terminals.length);
  });

  it('throws for a place that is not a terminal', () => {
    expect(() => network.route('Atlantis, XX', 'Chicago, IL')).toThrow(/Atlantis/);
  });

  it('joins roads that cross between waypoints and roads that only come near each other, and no others', () => {
    const roads: Interstate[] = [
      {
        name: 'I-2',
        waypoints: [
          [40, -100, 'West, KS'],
          [40, -99, 'East, KS'],
        ],
      },
      {
        name: 'I-1',
        waypoints: [
          [39.6, -99.5, 'South, KS'],
          [40.4, -99.5, 'North, KS'],
        ],
      },
      {
        name: 'I-3',
        waypoints: [
          [40.05, -98.97, 'Near, KS'],
          [40.5, -98.9, 'Beyond, KS'],
        ],
      },
      {
        name: 'I-4',
        waypoints: [
          [42, -100, 'Far, NE'],
          [42, -99, 'Away, NE'],
        ],
      },
    ];
    const small = createRoadNetwork(roads);
    expect(small.route('South, KS', 'East, KS')!.points[1]).toEqual({ lat: 40, lng: -99.5 });
    expect(small.route('West, KS', 'Beyond, KS')!.points).toHaveLength(5);
    expect(small.route('West, KS', 'Far, NE')).toBeNull();
  });
});

const CORNER = createRoute([
  { lat: 40, lng: -100 },
  { lat: 40, lng: -100 },
  { lat: 41, lng: -100 },
  { lat: 41, lng: -99 },
]);

describe('createRoute', () => {
  it('leaves out a repeated point and adds up the meters', () => {
    expect(CORNER.points).toHaveLength(3);
    expect(CORNER.cumulativeM[0]).toBe(0);
    expect(CORNER.cumulativeM[1]).toBeCloseTo(distanceM({ lat: 40, lng: -100 }, { lat: 41, lng: -100 }), 6);
    expect(CORNER.lengthM).toBe(CORNER.cumulativeM[2]);
  });
});

describe('positionOnRoute', () => {
  it('gives the ends exactly, and clamps beyond them', () => {
    expect(positionOnRoute(CORNER, -5)).toEqual({ lat: 40, lng: -100, headingDeg: 0 });
    const end = positionOnRoute(CORNER, CORNER.lengthM + 5);
    expect([end.lat, end.lng]).toEqual([41, -99]);
    expect(end.headingDeg).toBeCloseTo(89.7, 1);
  });

  it('turns at a corner', () => {
    expect(positionOnRoute(CORNER, CORNER.cumulativeM[1]! - 1).headingDeg).toBe(0);
    expect(positionOnRoute(CORNER, CORNER.cumulativeM[1]! + 1).headingDeg).toBeCloseTo(89.7, 1);
  });

  it('moves along a long route by the given distance in each step', () => {
    const route = createRoadNetwork(INTERSTATES).route('Dallas, TX', 'Atlanta, GA')!;
    const stepM = 500;
    const movedM: number[] = [];
    for (let distM = stepM; distM <= route.lengthM; distM += stepM) {
      movedM.push(distanceM(positionOnRoute(route, distM - stepM), positionOnRoute(route, distM)));
    }
    // The straight line is shorter than the drive at a bend, and never longer.
    expect(Math.min(...movedM)).toBeGreaterThan(0);
    expect(Math.max(...movedM)).toBeLessThan(stepM * 1.005);
    expect(movedM.reduce((sum, m) => sum + m, 0) / route.lengthM).toBeGreaterThan(0.99);
  });

  it('throws for a route of one point', () => {
    expect(() => positionOnRoute(createRoute([{ lat: 40, lng: -100 }]), 0)).toThrow(/1 points/);
  });
});
