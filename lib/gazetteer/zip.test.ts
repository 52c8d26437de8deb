import { codes } from 'zipcodes';
import { expect, it } from 'vitest';
import { createZipSearch, parseZip, toZipTable } from './zip';

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
