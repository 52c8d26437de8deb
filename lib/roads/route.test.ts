import { describe, expect, it } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { INTERSTATES } from './interstates';
import { createRoadNetwork } from './network';
import { createRoute, positionOnRoute } from './route';

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
