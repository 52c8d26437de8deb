import { expect, it } from 'vitest';
import { MINUTE_MS } from '@/lib/base/time';
import { Arrivals } from './arrivals';
import { findWay } from './find-way';

/** Along a road to the east, a fix each minute, with a bend that no straight line has. */
const road = Array.from({ length: 60 }, (_, i) => ({
  lat: 35 + 0.2 * Math.sin(i / 10),
  lng: -101 + i * 0.015,
  fixAtMs: Date.UTC(2026, 2, 2) + i * MINUTE_MS,
}));

it('searches roads once for the trucks that are on the way that it found', () => {
  const arrivals = new Arrivals();
  arrivals.learn(road);
  const to = { ...road.at(-1)!, key: 'stop' };
  expect(findWay(arrivals, road[5]!, to, { search: null }).by).not.toBe('roads');
  const search = { cells: 1000 };
  const found = findWay(arrivals, road[5]!, to, { search });
  expect(found.by).toBe('roads');
  expect(search.cells).toBeLessThan(1000);
  // Without a search, from each of its fixes, as long as a search would say.
  for (const from of road.slice(6, -2)) {
    const way = findWay(arrivals, from, to, { search: null });
    expect(way.by).toBe('roads');
    const searched = findWay(new Arrivals(arrivals), from, to);
    expect(way.distM / searched.distM).toBeCloseTo(1, 1);
    expect(way.driveMs / searched.driveMs).toBeCloseTo(1, 1);
  }
  expect(findWay(arrivals, road[5]!, { ...to, key: 'another' }, { search: null }).by).not.toBe('roads');
});
