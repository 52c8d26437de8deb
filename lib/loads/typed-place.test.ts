import { expect, it } from 'vitest';
import type { Site } from '@/lib/rules/site';
import { choosePlace, suggestPlaces } from './typed-place';

const siteOf = (id: number, name: string): Site => ({
  ...{ id, name, kind: 'customer', color: '', notes: '', openingHours: null, marginM: 50 },
  shape: { type: 'circle', lat: 35, lng: -101, radiusM: 300 },
});
const amarillo = { name: 'Amarillo, TX', lat: 35.2, lng: -101.8, radiusM: 12_000, isWhole: true };
const sources = {
  sites: [siteOf(1, 'Amarillo yard'), siteOf(2, 'Acme DC'), siteOf(3, 'North Acme')],
  findPlaces: (text: string) => ('amarillo, tx'.startsWith(text.toLowerCase()) ? [amarillo] : []),
};

it('suggests sites before towns, and those that begin with the text first', () => {
  expect(suggestPlaces('acme', sources).map(({ name }) => name)).toEqual(['Acme DC', 'North Acme']);
  expect(suggestPlaces('amar', sources).map(({ name }) => name)).toEqual(['Amarillo yard', 'Amarillo, TX']);
  expect(suggestPlaces(' ', sources)).toEqual([]);
});

it('takes coordinates, alone or after an address', () => {
  expect(suggestPlaces('35.2, -101.83', sources)).toEqual([
    { lat: 35.2, lng: -101.83, siteId: null, name: '35.20000, -101.83000' },
  ]);
  expect(choosePlace('4500 Dock Rd, Dallas @ 32.77, -96.79', sources)).toEqual({
    ...{ lat: 32.77, lng: -96.79, siteId: null, name: '4500 Dock Rd, Dallas' },
  });
});

it('chooses what is named in full, the only match, or what the stop has', () => {
  expect(choosePlace('acme dc', sources)?.siteId).toBe(2);
  expect(choosePlace('north', sources)?.siteId).toBe(3);
  expect(choosePlace('acme', sources)).toBeNull();
  expect(choosePlace('amarillo, tx', sources)).toMatchObject({ siteId: null, radiusM: 8000 });
  const held = { name: 'Dock 4', siteId: 9, lat: 1, lng: 2 };
  expect(choosePlace('dock 4', { ...sources, held })).toBe(held);
  expect(choosePlace('4500 Dock Rd', sources)).toBeNull();
});
