import { describe, expect, it } from 'vitest';
import {
  createPlaceSearch,
  createPlaces,
  sortPlaces,
  type PlaceTable,
  createZipSearch,
  parseZip,
  toZipTable,
} from './place';
import { codes } from 'zipcodes';

const table: PlaceTable = {
  regions: ['TX', 'NM'],
  names: ['Amarillo', 'Bushland', 'Tucumcari', 'Canyon'],
  regionOf: [0, 0, 1, 0],
  latE4: [352220, 351920, 351717, 349803],
  lngE4: [-1018313, -1020646, -1037250, -1019188],
  population: [200000, 1500, 5000, 15000],
};
const places = createPlaces(table);

describe('places', () => {
  it('names the town alone inside its limits', () => {
    expect(places.describe({ lat: 35.222, lng: -101.83 })).toBe('Amarillo, TX');
  });

  it('gives distance and direction from a town outside them', () => {
    expect(places.describe({ lat: 35.222, lng: -101.72 })).toBe('6 mi E of Amarillo, TX');
    expect(places.describe({ lat: 35.1717, lng: -103.778 })).toBe('3 mi W of Tucumcari, NM');
  });

  it('prefers the city that people know to a hamlet a little nearer', () => {
    expect(places.describe({ lat: 35.205, lng: -101.93 })).toBe('6 mi W of Amarillo, TX');
  });

  it('prefers the town at the position to the city some miles off', () => {
    expect(places.describe({ lat: 34.98, lng: -101.919 })).toBe('Canyon, TX');
  });

  it('names the nearest known place even when it is far', () => {
    expect(places.describe({ lat: 35.17, lng: -105.5 })).toBe('100 mi W of Tucumcari, NM');
  });

  it('names nothing in the middle of the Atlantic', () => {
    expect(places.describe({ lat: 0, lng: 0 })).toBeNull();
  });
});

it('finds places by the beginning of their names, the largest first', () => {
  const search = createPlaceSearch({
    ...table,
    ...{ names: ['Amarillo', 'San José', 'San Jose', 'Canyon'], population: [200000, 1500, 5000, 15000] },
  });
  expect(search('san jose', 8).map(({ name }) => name)).toEqual(['San Jose, NM', 'San José, TX']);
  expect(search('Amarillo, tx', 8)).toMatchObject([{ name: 'Amarillo, TX', lat: 35.222, lng: -101.8313 }]);
  expect(search(' ', 8)).toEqual([]);
});

it('finds towns of the United States before larger ones of other countries', () => {
  const search = createPlaceSearch({
    ...table,
    regions: ['MX', 'TX'],
    names: ['Tex A', 'Tex B', 'Tex C', 'Tex D'],
  });
  expect(search('tex', 8).map(({ name }) => name)).toEqual([
    'Tex C, TX',
    'Tex A, MX',
    'Tex D, MX',
    'Tex B, MX',
  ]);
});

it('finds a town with and without its comma, its signs and its accents, and says when its name is whole', () => {
  const search = createPlaceSearch({
    ...table,
    regions: ['MO', 'FL'],
    names: ['Joplin', 'St. Louis', "Lee's Summit", 'Cañada'],
    regionOf: [0, 0, 0, 1],
  });
  const find = (text: string) => search(text, 8).map(({ name, isWhole }) => [name, isWhole]);
  for (const text of ['Joplin, MO', 'joplin mo', 'JOPLIN,MO', ' Joplin  MO '])
    expect(find(text), text).toEqual([['Joplin, MO', true]]);
  expect(find('Jopl')).toEqual([['Joplin, MO', false]]);
  for (const text of ['st louis mo', 'St. Louis, MO', 'Saint Louis MO', 'St.Louis, MO'])
    expect(find(text), text).toEqual([['St. Louis, MO', true]]);
  expect(find('lees summit')).toEqual([["Lee's Summit, MO", false]]);
  expect(find('canada fl')).toEqual([['Cañada, FL', true]]);
  expect(find('-')).toEqual([]);
});

it('finds a town by its address: the name of the state, a ZIP code and the country may follow it', () => {
  const search = createPlaceSearch({
    regions: ['MO', 'NY', 'WV', 'VA', 'DC', 'AR'],
    names: [
      'Joplin',
      'New York City',
      'Ste. Genevieve',
      'Charleston',
      'Charlottesville',
      'Washington, D.C.',
      'North Little Rock',
    ],
    regionOf: [0, 1, 0, 2, 3, 4, 5],
    latE4: [0, 1, 2, 3, 4, 5, 6],
    lngE4: [0, 1, 2, 3, 4, 5, 6],
    population: [7, 6, 5, 4, 3, 2, 1],
  });
  const find = (text: string) => search(text, 8).map(({ name, isWhole }) => [name, isWhole]);
  for (const text of [
    ...['Joplin, Missouri', 'joplin missouri', 'Joplin, MO 64801', 'Joplin MO 64801-1234', 'JOPLIN MO USA'],
    ...['Joplin, MO, United States', 'Joplin, MO.', 'joplin, mo 64801, usa'],
  ])
    expect(find(text), text).toEqual([['Joplin, MO', true]]);
  for (const text of ['New York, NY', 'new york ny', 'New York, New York', 'New York, NY 10001'])
    expect(find(text), text).toEqual([['New York City, NY', true]]);
  for (const text of ['Washington, DC', 'washington dc', 'Washington, D.C.', 'Washington, DC 20001'])
    expect(find(text), text).toEqual([['Washington, D.C., DC', true]]);
  expect(find('Charleston, West Virginia')).toEqual([['Charleston, WV', true]]);
  expect(find('Charl Virginia')).toEqual([['Charlottesville, VA', false]]);
  expect(find('Sainte Genevieve MO')).toEqual([['Ste. Genevieve, MO', true]]);
  expect(find('N. Little Rock AR')).toEqual([['North Little Rock, AR', true]]);
  for (const text of ['Missouri', 'MO', 'Joplin, NY', 'Joplin, Kansas', 'Joplin XX', '64801', 'USA', ', MO'])
    expect(find(text), text).toEqual([]);
});

it('finds each place of a large table that was sorted', () => {
  const names = Array.from({ length: 900 }, (_, i) => `Town ${i}`);
  const large = {
    regions: ['KS'],
    names,
    regionOf: names.map(() => 0),
    latE4: names.map((_, i) => 300_000 + 5000 * ((i * 7) % 30)),
    lngE4: names.map((_, i) => -1_000_000 + 5000 * Math.floor(i / 30)),
    population: names.map(() => 500),
  };
  const { describe: name } = createPlaces(sortPlaces(large));
  const found = names.map((_, i) => name({ lat: large.latE4[i]! / 1e4, lng: large.lngE4[i]! / 1e4 }));
  expect(found).toEqual(names.map((town) => `${town}, KS`));
});

const CODES = [
  { zip: '64801', lat: 37.0969, lng: -94.5051 },
  { zip: '00601', lat: 18.16, lng: -66.72 },
  { zip: '96910', lat: 13.47, lng: 144.74 },
];

it('finds ZIP codes, also with four more digits, and names where they are', () => {
  const find = createZipSearch(toZipTable(CODES), ({ lng }) => (lng > 0 ? null : 'Joplin, MO'));
  expect(find('64801')).toMatchObject({ name: '64801, Joplin, MO', lat: 37.1, lng: -94.51, isWhole: true });
  expect(find(' 64801-1234 ')?.name).toBe('64801, Joplin, MO');
  for (const text of ['Joplin, MO 64801', 'Joplin MO 64801-1234', 'joplin 64801', '648011234'])
    expect(find(text)?.name, text).toBe('64801, Joplin, MO');
  expect(find('00601')).toMatchObject({ lat: 18.16, lng: -66.72 });
  expect(find('96910')?.name).toBe('96910');
  for (const text of [
    '601',
    '6480',
    '648011',
    '64801-12',
    '64802',
    'Joplin',
    'A64801',
    'MO 648011',
    '7 64801',
    '',
  ])
    expect(find(text), text).toBeNull();
});

it('holds every ZIP code of the United States within a mile', () => {
  const all = Object.values(codes).filter(({ country }) => country === 'US');
  const find = createZipSearch(
    toZipTable(all.map(({ zip, latitude: lat, longitude: lng }) => ({ zip, lat, lng }))),
    () => null,
  );
  const wrong = all.filter(({ zip, latitude, longitude }) => {
    const found = find(zip);
    return !(Math.abs(found!.lat - latitude) < 0.0051 && Math.abs(found!.lng - longitude) < 0.0051);
  });
  expect(wrong).toEqual([]);
  expect(all.length).toBeGreaterThan(40_000);
  expect(parseZip('64801')).toBe('64801');
});
