import { describe, expect, it } from 'vitest';
import { distanceM } from '@/lib/geo/geodesy';
import { INTERSTATES } from './interstates';

const WAYPOINTS = INTERSTATES.flatMap(({ waypoints }) => waypoints);

describe('INTERSTATES', () => {
  it('has at least 500 waypoints, each of two numbers and at most one name', () => {
    expect(WAYPOINTS.length).toBeGreaterThanOrEqual(500);
    const misshapen = WAYPOINTS.filter(
      ([lat, lng, place, ...rest]: readonly unknown[]) =>
        typeof lat !== 'number' ||
        typeof lng !== 'number' ||
        (place !== undefined && typeof place !== 'string') ||
        rest.length > 0,
    );
    expect(misshapen).toEqual([]);
  });

  it('stays within the contiguous United States', () => {
    const outside = WAYPOINTS.filter(([lat, lng]) => lat < 25 || lat > 49.1 || lng < -124.8 || lng > -66.9);
    expect(outside).toEqual([]);
  });

  it('has no jumps: consecutive waypoints are under 120 km apart, and no waypoint repeats the one before', () => {
    const jumps = INTERSTATES.flatMap(({ name, waypoints }) =>
      waypoints.slice(1).flatMap(([lat, lng], index) => {
        const [lastLat, lastLng] = waypoints[index]!;
        const stepM = distanceM({ lat: lastLat, lng: lastLng }, { lat, lng });
        return stepM > 0 && stepM < 120_000 ? [] : [`${name} ${lat}, ${lng}: ${stepM} m`];
      }),
    );
    expect(jumps).toEqual([]);
  });

  it('runs west to east for even numbers and south to north for odd ones', () => {
    const backwards = INTERSTATES.filter(({ name, waypoints }) => {
      const [first, last] = [waypoints[0]!, waypoints.at(-1)!];
      return Number.parseInt(name.slice(2), 10) % 2 === 0 ? first[1] >= last[1] : first[0] >= last[0];
    });
    expect(backwards.map(({ name }) => name)).toEqual([]);
  });

  it('names places as city and state', () => {
    const odd = WAYPOINTS.flatMap(([, , place]) =>
      place && !/^[A-Z][A-Za-z' -]+, [A-Z]{2}$/.test(place) ? [place] : [],
    );
    expect(odd).toEqual([]);
  });

  it('puts a place that several roads serve within 30 km of itself', () => {
    const firstSeen = new Map<string, { lat: number; lng: number }>();
    const apart: string[] = [];
    for (const [lat, lng, place] of WAYPOINTS) {
      if (!place) continue;
      const first = firstSeen.get(place);
      if (!first) firstSeen.set(place, { lat, lng });
      else if (distanceM(first, { lat, lng }) > 30_000) apart.push(place);
    }
    expect(apart).toEqual([]);
  });

  it('gives a name twice only to the roads that share a number far apart', () => {
    const names = INTERSTATES.map(({ name }) => name);
    const shared = names.filter((name, index) => names.indexOf(name) !== index);
    expect(shared.sort()).toEqual(['I-49', 'I-69', 'I-74', 'I-76', 'I-84', 'I-86', 'I-88']);
  });
});
