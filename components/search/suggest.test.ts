import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { FoundPlace } from '@/lib/gazetteer/place';
import { toMercatorX, toMercatorY, worldSizePx } from '@/lib/geo/projection';
import { createMarks, withMarks } from '@/lib/view/marks';
import { createTestFleet } from '@/testing/view/fleet';
import { suggest, toCamera, type SuggestionSources } from './suggest';

const JOPLIN: FoundPlace = { name: 'Joplin, MO', lat: 37.08, lng: -94.51, radiusM: 3000, isWhole: true };
const YARD = { id: 7, name: 'Joplin Yard', kind: 'Yard', lat: 37.1, lng: -94.5, radiusM: 4000 };

const CONTACT = {
  ...{ unit: 'unit:1', driver: 'José Ruiz', driverPhone: '+15125550123', secondDriver: '' },
  ...{ secondDriverPhone: '', dispatcher: 'Ann Lee', dispatcherPhone: '', text: '' },
};

const sources: SuggestionSources = {
  fleet: withMarks(
    createTestFleet([
      { truckNumber: '116', make: 'Volvo', year: 2022, lat: 37, lng: -94 },
      { truckNumber: '1164' },
      null,
    ]),
    createMarks([], [], [CONTACT]),
  ),
  siteNames: null,
  sites: [YARD],
  tags: [{ tag: 'flatbeds', units: ['unit:0', 'unit:1'] }],
  findPlaces: (text) => ('joplin, mo'.startsWith(text.toLowerCase()) || text === '64801' ? [JOPLIN] : []),
  states: { MO: [36, -95.8, 40.6, -89.1] },
};

const labels = (text: string) => suggest(text, sources).map(({ label }) => label);

it.each([
  ['a truck, the best match alone', '116', ['Truck 116']],
  [
    'a site and a town of the same name',
    'Joplin',
    [
      'Go to Joplin Yard',
      'Nearest trucks to Joplin Yard',
      'Go to Joplin, MO',
      'Nearest trucks to Joplin, MO',
    ],
  ],
  ['a contact by name', 'jose', ['Truck 1164', 'José Ruiz · (512) 555-0123']],
  ['a contact by number', '512 555', ['Truck 1164', 'José Ruiz · (512) 555-0123']],
  ['a contact without a number', 'ann lee', ['Truck 1164', 'Ann Lee']],
  ['a ZIP code', '64801', ['Go to Joplin, MO', 'Nearest trucks to Joplin, MO']],
  ['a tag by a part of it', 'bed', ['Trucks with the tag flatbeds']],
  ['a state by its name', 'misso', ['Go to Missouri']],
  ['a state by its code', 'MO', ['Go to Missouri']],
  ['coordinates', '35.2, -101.83', ['Go to 35.20000, -101.83000', 'Nearest trucks to 35.20000, -101.83000']],
  ['nothing for blanks', '  ', []],
  ['nothing for an unknown word', 'xyzzy', []],
])('suggests %s', (_, text, expected) => expect(labels(text)).toEqual(expected));

it('shows a truck with its surroundings, and one without a position by its panel alone', () => {
  const [first] = suggest('116', sources);
  expect(first).toMatchObject({ detail: '2022 Volvo', action: { do: 'unit', key: 'unit:0' } });
  const [south, west, north, east] = first!.action.do === 'unit' ? first!.action.bounds! : [];
  expect(south! < 37 && north! > 37 && west! < -94 && east! > -94).toBe(true);
  expect(suggest('1164', sources)[0]!.action).toEqual({ do: 'unit', key: 'unit:1', bounds: null });
});

it('a camera has the middle of its bounds, at a zoom that shows all of them', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 20, max: 60, noNaN: true }),
      fc.double({ min: -160, max: -60, noNaN: true }),
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.double({ min: 0, max: 40, noNaN: true }),
      fc.record({ width: fc.integer({ min: 320, max: 3000 }), height: fc.integer({ min: 200, max: 2000 }) }),
      (south, west, tall, wide, size) => {
        const [north, east] = [south + tall, west + wide];
        const { lat, lng, zoom } = toCamera([south, west, north, east], size);
        expect(lat).toBeCloseTo(south + tall / 2);
        expect(lng).toBeCloseTo(west + wide / 2);
        if (zoom <= 3) return;
        expect((toMercatorX(east) - toMercatorX(west)) * worldSizePx(zoom)).toBeLessThan(size.width);
        expect((toMercatorY(south) - toMercatorY(north)) * worldSizePx(zoom)).toBeLessThan(size.height);
      },
    ),
  );
});
