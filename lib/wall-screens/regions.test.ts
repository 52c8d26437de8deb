import { expect, it } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import { findStop, listStops } from './regions';

const AT = { chicago: [41.88, -87.64], atlanta: [33.75, -84.39], seattle: [47.6, -122.3] } as const;
const fleetAt = (...places: (keyof typeof AT)[]) =>
  createTestFleet([...places.map((place) => ({ lat: AT[place][0], lng: AT[place][1] })), {}]);
const namesOf = (fleet: ReturnType<typeof fleetAt>) =>
  listStops(fleet).map(({ region, units }) => [region, units]);

it('shows the whole fleet and then each region that has trucks', () => {
  expect(namesOf(fleetAt('chicago', 'atlanta', 'atlanta', 'seattle'))).toEqual([
    [null, 5],
    ['West', 1],
    ['Midwest', 1],
    ['South', 2],
  ]);
});

it('a region is as large as what is in it', () => {
  const stops = listStops(fleetAt('chicago', 'atlanta', 'seattle'));
  const bounds = stops.find(({ region }) => region === 'Midwest')!.bounds!;
  const [lat, lng] = AT.chicago;
  expect(bounds.map((each) => Math.round(each * 100) / 100)).toEqual([lat, lng, lat, lng]);
});

it('shows a fleet of one region, and one without positions, as a whole alone', () => {
  expect(namesOf(fleetAt('chicago', 'chicago'))).toEqual([[null, 3]]);
  expect(namesOf(fleetAt())).toEqual([[null, 1]]);
});

it('gives each stop its turn, the whole fleet the longest one', () => {
  const roundMs = 30_000 + 3 * 15_000;
  const start = roundMs * 20_000_000;
  const shown = Array.from({ length: roundMs / 5000 }, (_, i) => findStop(4, start + i * 5000));
  expect(shown).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
  expect(findStop(4, start + roundMs)).toBe(0);
  expect(findStop(1, start + 29_999)).toBe(0);
});
