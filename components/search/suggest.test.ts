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
      { truckNumber: '116', make: 'Volvo', year: 2022, plateState: 'MO', lat: 37, lng: -94 },
      { truckNumber: '1164' },
      null,
    ]),
    createMarks([], [], [CONTACT]),
  ),
  siteNames: null,
  sites: [YARD],
  tags: [{ tag: 'flatbeds', units: ['unit:0', 'unit:1'] }],
  findPlaces: (text) => ('joplin, mo'.startsWith(text.toLowerCase()) || text === '64801' ? [JOPLIN] : []),
  loads: [{ id: 3, references: ['8841', 'PO 55-210'], detail: 'Acme' }],
  states: { MO: [36, -95.8, 40.6, -89.1] },
};

const labels = (text: string) => suggest(text, sources).items.map(({ label }) => label);

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
  ['a contact by name', 'jose', ['José Ruiz · (512) 555-0123', 'Truck 1164']],
  ['a contact by number', '512 555', ['Truck 1164', 'José Ruiz · (512) 555-0123']],
  ['a contact by the end of the number', '0123', ['José Ruiz · (512) 555-0123', 'Truck 1164']],
  ['a truck as it is called', 'truck 116', ['Truck 116']],
  ['a truck as it is called, in one word', 'truck116', ['Truck 116']],
  ['a site by a later word of its name', 'yard', ['Go to Joplin Yard', 'Nearest trucks to Joplin Yard']],
  ['a truck by its sign', '#116', ['Truck 116']],
  ['a contact without a number', 'ann lee', ['Ann Lee', 'Truck 1164']],
  ['a load by its number', '8841', ['Load 8841']],
  ['a load by a part of its PO number', '55-2', ['Load 8841']],
  ['a ZIP code', '64801', ['Go to Joplin, MO', 'Nearest trucks to Joplin, MO']],
  ['a tag by a part of it', 'bed', ['Trucks with the tag flatbeds']],
  ['a state by its name', 'misso', ['Go to Missouri', 'List trucks in and around Missouri']],
  [
    'a state by its code, before trucks with its plates',
    'MO',
    ['Go to Missouri', 'List trucks in and around Missouri', 'Truck 116'],
  ],
  ['coordinates', '35.2, -101.83', ['Go to 35.20000, -101.83000', 'Nearest trucks to 35.20000, -101.83000']],
  ['no place for a date', '11/29', []],
  ['nothing for blanks', '  ', []],
  ['nothing for an unknown word', 'xyzzy', []],
])('suggests %s', (_, text, expected) => expect(labels(text)).toEqual(expected));

it('means a load by a whole number that no truck has', () => {
  const meant = (text: string, loads = sources.loads) => suggest(text, { ...sources, loads }).load?.label;
  expect(meant('8841')).toBe('Load 8841');
  expect(meant('po 55-210')).toBe('Load 8841');
  expect(meant('884')).toBeUndefined();
  expect(meant('116', [{ id: 4, references: ['116'], detail: null }])).toBeUndefined();
});

it('shows a truck with its surroundings, and one without a position by its panel alone', () => {
  const [first] = suggest('116', sources).items;
  expect(first).toMatchObject({ detail: '2022 Volvo', action: { do: 'unit', key: 'unit:0' } });
  const [south, west, north, east] = first!.action.do === 'unit' ? first!.action.bounds! : [];
  expect(south! < 37 && north! > 37 && west! < -94 && east! > -94).toBe(true);
  expect(suggest('1164', sources).items[0]!.action).toEqual({ do: 'unit', key: 'unit:1', bounds: null });
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

it.each([
  ...['512-555-0123', '(512) 555-0123', '(512)555-0123', '5125550123', '512.555.0123', '512 555 0123'],
  ...['+1 512 555 0123', '+15125550123', '1-512-555-0123', '555-0123', '5550123'],
])('the number %s finds the truck and the person alike', (typed) =>
  expect(labels(typed)).toEqual(['José Ruiz · (512) 555-0123', 'Truck 1164']),
);

it('names how to find more towns of one name', () => {
  const towns = ['MO', 'IL', 'MA', 'OH', 'OR', 'PA', 'TN'].map((state) => ({
    ...JOPLIN,
    name: `Springfield, ${state}`,
  }));
  const { items, more } = suggest('springfield', {
    ...sources,
    findPlaces: (_, most) => towns.slice(0, most),
  });
  expect(items).toHaveLength(12);
  expect(more).toBe('There are more. Add the state, as in “springfield, tn”.');
  expect(suggest('joplin', sources).more).toBeNull();
});

it('a person stands once, before towns of the name, with a silent truck first; those without room are counted', () => {
  const dispatcher = (unit: number) => ({ ...CONTACT, unit: `unit:${unit}`, driver: '', driverPhone: '' });
  const named = { ...sources, findPlaces: () => [{ ...JOPLIN, name: 'Lee, MO' }] };
  const fleet = createTestFleet([
    { truckNumber: '1' },
    { truckNumber: '2', status: 'silent' },
    { truckNumber: '3' },
  ]);
  const lees = suggest('lee', {
    ...named,
    fleet: withMarks(fleet, createMarks([], [], [0, 1, 2].map(dispatcher))),
  });
  expect(lees.items[0]).toMatchObject({ label: 'Ann Lee', detail: 'Dispatcher, Truck 2 and 2 others' });
  expect(lees.items.filter(({ kind }) => kind === 'Contacts')).toHaveLength(1);
  const many = Array.from({ length: 7 }, (_, i) => i);
  const others = suggest('lee', {
    ...sources,
    fleet: withMarks(
      createTestFleet(many.map((i) => ({ truckNumber: `${i}` }))),
      createMarks(
        [],
        [],
        many.map((i) => ({ ...dispatcher(i), dispatcher: `Lee ${i}` })),
      ),
    ),
  });
  expect(others.more).toBe('3 more people have this name. Add more of it.');
});
