import { expect, it } from 'vitest';
import { createTestFleet } from '@/testing/view/fleet';
import { toFirstRows } from './first-rows';
import { EVERYTHING } from './view-state';

const fleet = createTestFleet([
  { truckNumber: '2', status: 'stopped' },
  { truckNumber: '1', status: 'moving' },
  null,
  ...Array.from({ length: 40 }, (_, i) => ({ truckNumber: `9${i}`, status: 'late' as const })),
]);
const view = { ...EVERYTHING, sort: 'truck' as const };

it('has the head of the list in its order, and counts of the whole fleet', () => {
  const first = toFirstRows(fleet, view)!;
  expect(first).toMatchObject({ matched: 42, counts: { all: 42, byStatus: { late: 40 } } });
  expect(first.units.slice(0, 2).map(({ identity }) => identity.truckNumber)).toEqual(['1', '2']);
  expect(first.units).toHaveLength(20);
  expect(JSON.parse(JSON.stringify(first))).toEqual(first);
});

it('follows the filter and the search', () => {
  const first = toFirstRows(fleet, { ...view, statuses: ['moving'] })!;
  expect([first.matched, first.units.length, first.counts.all]).toEqual([1, 1, 42]);
});

it('names the sites of its units, and is ordered and searched by them', () => {
  const atSites = createTestFleet([
    { truckNumber: '1', siteId: 5 },
    { truckNumber: '2', siteId: 7 },
    { truckNumber: '3' },
  ]);
  const sites = {
    names: new Map([
      [5, 'Yard'],
      [7, 'Customer'],
      [9, 'Other'],
    ]),
    ranks: new Map([
      [5, 2],
      [7, 1],
    ]),
  };
  const first = toFirstRows(atSites, { ...view, sort: 'site' }, sites)!;
  expect(first.units.map(({ identity }) => identity.truckNumber)).toEqual(['2', '1', '3']);
  expect(first.siteNames).toEqual({ 5: 'Yard', 7: 'Customer' });
  expect(toFirstRows(atSites, { ...view, query: 'yard' }, sites)).toMatchObject({ matched: 1 });
});

it('is not there for a list of what the map shows', () => {
  expect(toFirstRows(fleet, { ...view, inView: true })).toBeNull();
});
