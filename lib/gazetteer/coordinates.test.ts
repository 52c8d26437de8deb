import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LatLng } from '@/lib/geo/units';
import { coordinatesText, parseCoordinates } from './coordinates';
import { isLand } from './plausible-place';

const JOPLIN = { lat: 37.08, lng: -94.51 };

/** Degrees and minutes as navigators write them; the minutes may round to 60. */
const toMinutes = (degrees: number, decimals: number): readonly [string, string] => {
  const unit = 10 ** decimals;
  const all = Math.round(Math.abs(degrees) * 60 * unit);
  return [String(Math.floor(all / unit / 60)), ((all % (60 * unit)) / unit).toFixed(decimals)];
};
const toLetters = ({ lat, lng }: LatLng): readonly [string, string] => [
  lat < 0 ? 'S' : 'N',
  lng < 0 ? 'W' : 'E',
];

/** Forms of a place with five decimals or about as many. */
const FORMS: Record<string, (at: LatLng) => string> = {
  panel: coordinatesText,
  minus: (at) => coordinatesText(at).replaceAll('-', '−'),
  spaces: ({ lat, lng }) => `  ${lat.toFixed(5)} ${lng.toFixed(5)} `,
  slash: ({ lat, lng }) => `${lat.toFixed(5)}/${lng.toFixed(5)}`,
  'decimal commas': ({ lat, lng }) => `${lat.toFixed(5)}; ${lng.toFixed(5)}`.replaceAll('.', ','),
  'decimal commas and spaces': ({ lat, lng }) => `${lat.toFixed(5)} ${lng.toFixed(5)}`.replaceAll('.', ','),
  brackets: (at) => `(${coordinatesText(at)})`,
  words: ({ lat, lng }) => `Lat: ${lat}, Long: ${lng}`,
  'degree signs': ({ lat, lng }) => `${lat}°, ${lng}°`,
  'letters after': ({ lat, lng }) =>
    `${Math.abs(lat)}${toLetters({ lat, lng })[0]}, ${Math.abs(lng)}${toLetters({ lat, lng })[1]}`,
  'letters after, without a comma': ({ lat, lng }) =>
    `${Math.abs(lat)}° ${toLetters({ lat, lng })[0]} ${Math.abs(lng)}° ${toLetters({ lat, lng })[1]}`,
  'letters before, minutes': (at) => {
    const [ns, ew] = toLetters(at);
    return `${ns}${toMinutes(at.lat, 4).join(' ')} ${ew}${toMinutes(at.lng, 4).join(' ')}`;
  },
  'degrees and minutes': (at) => {
    const [ns, ew] = toLetters(at);
    return `${toMinutes(at.lat, 4).join('°')}'${ns} ${toMinutes(at.lng, 4).join('°')}'${ew}`;
  },
  'longitude first, by its letter': ({ lat, lng }) =>
    `${Math.abs(lng)}${toLetters({ lat, lng })[1]} ${Math.abs(lat)}${toLetters({ lat, lng })[0]}`,
  'a geo link': ({ lat, lng }) => `geo:${lat},${lng};u=35`,
  'Google, a pin': ({ lat, lng }) => `https://maps.google.com/?q=${lat.toFixed(5)},${lng.toFixed(5)}`,
  'Google, a pin beside the middle of the map': ({ lat, lng }) =>
    `https://www.google.com/maps/place/Joplin,+MO/@10.5,-20.5,12z/data=!3m1!4b1!8m2!3d${lat}!4d${lng}?entry=ttu`,
  'Google, the middle of the map': ({ lat, lng }) => `google.com/maps/@${lat},${lng},12z`,
  'Google, degrees and minutes': (at) =>
    `https://www.google.com/maps/place/${encodeURIComponent(FORMS['degrees and minutes']!(at))}/`,
  'Google, a search': ({ lat, lng }) =>
    `https://www.google.com/maps/search/?api=1&query=${lat.toFixed(5)}%2C${lng.toFixed(5)}`,
  Apple: ({ lat, lng }) => `https://maps.apple.com/?q=Joplin&ll=${lat.toFixed(5)},${lng.toFixed(5)}&z=12`,
  OpenStreetMap: ({ lat, lng }) => `https://www.openstreetmap.org/#map=12/${lat}/${lng}`,
  'OpenStreetMap, a pin': ({ lat, lng }) =>
    `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=12/1.5/2.5`,
  Bing: ({ lat, lng }) => `https://www.bing.com/maps?cp=${lat.toFixed(5)}~${lng.toFixed(5)}&lvl=12`,
};

const degrees = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 }).map((each) => each / 1e5);

describe('coordinates', () => {
  it.each(Object.entries(FORMS))('in the form %s are read as they were', (_, print) => {
    fc.assert(
      fc.property(degrees(85), degrees(180), (lat, lng) => {
        // Swapped, or in the West, they would be a place of a US carrier.
        fc.pre(isLand({ lat, lng }) || !(isLand({ lat: lng, lng: lat }) || isLand({ lat, lng: -lng })));
        const read = parseCoordinates(print({ lat, lng }));
        expect(read?.lat).toBeCloseTo(lat, 4);
        expect(read?.lng).toBeCloseTo(lng, 4);
      }),
      { numRuns: 50 },
    );
  });

  it('in either order are those of a US carrier', () => {
    fc.assert(
      fc.property(degrees(85), degrees(180), (lat, lng) => {
        fc.pre(isLand({ lat, lng }));
        const [north, east] = [lat.toFixed(5), lng.toFixed(5)];
        expect(parseCoordinates(`${east}, ${north}`)).toEqual({ lat, lng });
        expect(parseCoordinates(`${north}, ${east}`)).toEqual({ lat, lng });
      }),
    );
  });

  it.each([
    ['37.08 94.51', { lat: 37.08, lng: -94.51 }],
    ['https://www.google.com/maps?q=37.08,94.51', { lat: 37.08, lng: 94.51 }],
    ["37°05'N 94°30'W", { lat: 37 + 5 / 60, lng: -94.5 }],
    [`37°05'02"N 94°30'48"W`, { lat: 37 + 5 / 60 + 2 / 3600, lng: -94.5 - 48 / 3600 }],
    [`37° 5′ 2″, -94° 30′ 48″`, { lat: 37 + 5 / 60 + 2 / 3600, lng: -94.5 - 48 / 3600 }],
    ['N37 05.04 W94 30.8', { lat: 37.084, lng: -94.5 - 0.8 / 60 }],
    ['37.0842N, 94.5133W', { lat: 37.0842, lng: -94.5133 }],
    ['-94.5133, 37.0842', { lat: 37.0842, lng: -94.5133 }],
    ['37,0842; -94,5133', { lat: 37.0842, lng: -94.5133 }],
    ['37.08/-94.51', JOPLIN],
    ['geo:0,0?q=37.08,-94.51(Yard)', JOPLIN],
    ['geo:0,0', { lat: 0, lng: 0 }],
    ['37,-94', { lat: 37, lng: -94 }],
    ['48 -100', { lat: 48, lng: -100 }],
    ['37.1 -94.5', { lat: 37.1, lng: -94.5 }],
    ['40.71 74.01', { lat: 40.71, lng: -74.01 }],
    ['35 N 97 W', { lat: 35, lng: -97 }],
    ['N35 W97', { lat: 35, lng: -97 }],
    ['45°, 85°', { lat: 45, lng: 85 }],
    ['lat 35 lon 95', { lat: 35, lng: 95 }],
    ['google.com/maps/@13,145,12z', { lat: 13, lng: 145 }],
  ])('are read from %s', (text, at) => {
    const read = parseCoordinates(text);
    expect(read?.lat).toBeCloseTo(at.lat, 6);
    expect(read?.lng).toBeCloseTo(at.lng, 6);
  });

  it.each([
    ...[
      '',
      'Amarillo, TX',
      '35.2',
      '91, 95',
      '35, 181',
      '35.2, -101.83, 8',
      '501',
      'N37 N38',
      "37°95'N 94°30'W",
    ],
    ...['https://example.com/', 'https://maps.google.com/?q=Joplin', '(816) 555-0158', '816-555-0158'],
    ...['37.08, -94.51 Joplin', '2019 Volvo', '0,0'],
    // Dates, times and fractions.
    ...['11/29', '12/12', '2/14', '6 / 30', '11/29/25', '24/7', '3/4', '35 1/2', '10-30', '10:30 11:30'],
    // Trucks, amounts and miles.
    ...[
      '35 101',
      '35, 101',
      '40; 50',
      '7|8',
      '12.5 13',
      '35,5',
      '12,345 67,890',
      '1e1 2e1',
      '5E3 7',
      '#35 #40',
    ],
    // Exits, addresses and loads.
    ...[
      '40 W 23',
      '79 W 43',
      '12E45',
      '70 E 40',
      '30 N 90',
      'I-40 W 23',
      '12 W 35th',
      '34° 12',
      '35 long 95',
    ],
    // Phone numbers as they are typed.
    ...['51 25', '+52 55', '+44 20', '1 51', '(51) 25', '51.2 55'],
    ...['https://x.test/?q=11/29', 'https://x.test/place/35 100/', 'http://x.test/fleets/1?center=1,2'],
  ])('are not in %s', (text) => {
    expect(parseCoordinates(text)).toBeNull();
  });
});
