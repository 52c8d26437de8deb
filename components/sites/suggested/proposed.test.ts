import { expect, it } from 'vitest';
import { siteOf } from '@/testing/sites/watched-units';
import { toProposed, type Proposed } from './proposed';

const place = { lat: 35, lng: -101, radiusM: 90, stops: 9, units: 2, medianMs: 60_000 };

it('gives each place a name that no site and no other place has', () => {
  const names = ['Amarillo, TX', '8 mi NE of Amarillo, TX', 'Amarillo, TX'];
  const at = (lat: number) => ({ ...place, lat });
  const proposed = toProposed(
    [at(0), at(1), at(2)],
    [siteOf(1, 0, { name: 'Stop in Amarillo, TX' })],
    ({ lat }) => names[lat]!,
  );
  expect(proposed.map(({ site }) => site.name)).toEqual([
    'Stop in Amarillo, TX 2',
    'Stop 8 mi NE of Amarillo, TX',
    'Stop in Amarillo, TX 3',
  ]);
  expect(proposed[0]!.site.shape).toEqual({ type: 'circle', lat: 0, lng: -101, radiusM: 90 });
  expect(toProposed([place], [], null)[0]!.site.name).toBe('Stop');
});

it('proposes no place that became a site', () => {
  const [{ site }] = toProposed([place], [], null) as [Proposed];
  expect(
    toProposed([place, { ...place, lat: 36 }], [{ ...site, id: 1 }], null).map((each) => each.place.lat),
  ).toEqual([36]);
});
