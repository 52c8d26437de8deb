import { expect, it } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import type { Site } from '@/lib/rules/site';
import { siteAt } from '@/lib/rules/geofence';
import { countAtSites, toSiteTable } from './site-table';

const SITE: Site = {
  ...{ id: 1, name: 'Yard 10', kind: 'yard', color: '#2f7de1', notes: '', openingHours: null, marginM: 75 },
  shape: { type: 'circle', lat: 35, lng: -101, radiusM: 1000 },
};
const DOCK: Site = {
  ...SITE,
  id: 2,
  name: 'Yard 9',
  shape: { type: 'circle', lat: 35, lng: -101, radiusM: 50 },
};
const SITES = [SITE, DOCK];

it('has sites by id, in the order of the numbers in their names', () => {
  const { byId, names, ranks } = toSiteTable(SITES);
  expect(byId.get(2)).toBe(DOCK);
  expect(names.get(1)).toBe('Yard 10');
  expect([ranks.get(2), ranks.get(1)]).toEqual([1, 2]);
  expect(toSiteTable(SITES)).toBe(toSiteTable(SITES));
});

it('counts the units at each site', () => {
  const fleet = createTestFleet([{ siteId: 2 }, {}, { siteId: 2 }, null, { siteId: 7 }]);
  expect([...countAtSites(fleet)]).toEqual([
    [2, 2],
    [7, 1],
  ]);
});

it('names a position by the smallest site that it is inside of', () => {
  expect(siteAt(SITES, { lat: 35, lng: -101 })).toBe(DOCK);
  expect(siteAt(SITES, { lat: 35.005, lng: -101 })).toBe(SITE);
  // In the margin, but not inside.
  expect(siteAt(SITES, { lat: 35.0093, lng: -101 })).toBeNull();
});
