import { describe, expect, it } from 'vitest';
import type { ReportInput } from '../../store/inputs';
import { parseHomeAssistant } from './home-assistant';
import { parseOsmand, readParameters } from './osmand';
import { parseOverland } from './overland';
import { parseOwntracks } from './owntracks';
import { parseTraccar } from './traccar';

const NOW_MS = Date.UTC(2026, 10, 28, 16, 15);
const TIME = '2026-11-28T16:15:00Z';
const SENDER = { device: '7', user: null, basicUser: null };

/** One report with these coordinates, time and value for every measurement; what is undefined is left out. */
interface Given {
  lat?: unknown;
  lng?: unknown;
  time?: unknown;
  measured?: unknown;
}

/** A report of each protocol. */
const PROTOCOLS: Readonly<Record<string, (given: Given) => ReportInput[]>> = {
  OsmAnd: ({ lat, lng, time, measured: m }) => {
    const given = {
      id: '7',
      lat,
      lon: lng,
      timestamp: time,
      speed: m,
      bearing: m,
      altitude: m,
      accuracy: m,
      batt: m,
    };
    const texts = Object.entries(given).filter(([, value]) => value !== undefined);
    return parseOsmand(
      readParameters(new URLSearchParams(texts.map(([k, v]) => [k, String(v)])).toString(), ''),
      NOW_MS,
    );
  },
  'Traccar Client 9': ({ lat, lng, time, measured: m }) =>
    parseTraccar({
      device_id: '7',
      location: {
        timestamp: time,
        coords: { latitude: lat, longitude: lng, speed: m, heading: m, altitude: m, accuracy: m },
        battery: { level: m },
      },
    }),
  'a Traccar server': ({ lat, lng, time, measured: m }) =>
    parseTraccar({
      device: { uniqueId: '7' },
      position: {
        fixTime: time,
        latitude: lat,
        longitude: lng,
        speed: m,
        course: m,
        altitude: m,
        accuracy: m,
      },
    }),
  OwnTracks: ({ lat, lng, time, measured: m }) =>
    parseOwntracks(
      { _type: 'location', lat, lon: lng, tst: time, vel: m, cog: m, alt: m, acc: m, vac: m, batt: m },
      SENDER,
    ),
  Overland: ({ lat, lng, time, measured: m }) =>
    parseOverland(
      {
        locations: [
          {
            geometry:
              lat === undefined && lng === undefined ? null : { type: 'Point', coordinates: [lng, lat] },
            properties: {
              ...{ timestamp: time, speed: m, course: m, altitude: m },
              ...{ horizontal_accuracy: m, vertical_accuracy: m, battery_level: m },
            },
          },
        ],
      },
      '7',
    ),
  'Home Assistant': ({ lat, lng, measured: m }) =>
    parseHomeAssistant(
      {
        type: 'update_location',
        data: { gps: [lat, lng], gps_accuracy: m, speed: m, course: m, altitude: m, battery: m },
      },
      '7',
      NOW_MS,
    ),
};

/** A body of each protocol without `part`, which holds the coordinates, and one for each value of it. */
const CONTAINERS: [name: string, parse: (part: unknown) => ReportInput[]][] = [
  ['location of Traccar Client', (part) => parseTraccar({ device_id: '7', location: part })],
  ['coords of Traccar Client', (part) => parseTraccar({ device_id: '7', location: { coords: part } })],
  ['coords of a backlog', (part) => parseTraccar({ device_id: '7', location: [{ coords: part }] })],
  ['position of a Traccar server', (part) => parseTraccar({ device: { uniqueId: '7' }, position: part })],
  ['locations of Overland', (part) => parseOverland({ locations: part }, '7')],
  ['current of Overland', (part) => parseOverland({ locations: [], current: part }, '7')],
  ['feature of Overland', (part) => parseOverland({ locations: [{ properties: {}, geometry: part }] }, '7')],
  [
    'coordinates of Overland',
    (part) => parseOverland({ locations: [{ geometry: { type: 'Point', coordinates: part } }] }, '7'),
  ],
  [
    'data of Home Assistant',
    (part) => parseHomeAssistant({ type: 'update_location', data: part }, '7', NOW_MS),
  ],
  [
    'gps of Home Assistant',
    (part) => parseHomeAssistant({ type: 'update_location', data: { gps: part } }, '7', NOW_MS),
  ],
];

describe.each(CONTAINERS)('%s', (_, parse) => {
  it.each([
    [undefined],
    [null],
    [{}],
    [[]],
    [[null]],
    [''],
    ['unavailable'],
    ['Not Available'],
    [NaN],
    [false],
  ])('is heard without a position where it is %j', (part) => {
    expect(parse((JSON.parse(JSON.stringify({ part })) as { part?: unknown }).part)).toMatchObject([
      { deviceId: '7', lat: null, lng: null },
    ]);
    expect(parse(part)).toMatchObject([{ deviceId: '7', lat: null, lng: null }]);
  });

  it('is refused where it is anything else, which may be a position', () => {
    for (const part of [7, true, '35.2,-101.8'])
      expect(() => parse(part)).toThrow(/expected an (object|array)/);
  });
});

describe.each(Object.entries(PROTOCOLS))('%s', (_, parse) => {
  it.each([[NaN], [null], [Infinity], ['unavailable'], ['Infinity'], ['12,5'], [{}], [undefined]])(
    'stores the position of a report with %j for every measurement',
    (measured) => {
      expect(parse({ lat: 35.2, lng: -101.8, time: TIME, measured })).toEqual([
        expect.objectContaining({
          ...{ deviceId: '7', fixAtMs: NOW_MS, lat: 35.2, lng: -101.8 },
          ...{ speedKph: null, headingDeg: null, altitudeM: null, accuracyM: null, batteryPercent: null },
        }),
      ]);
    },
  );

  it.each<[string, Given]>([
    ['NaN', { lat: NaN, lng: NaN }],
    ['NaN as text', { lat: 'NaN', lng: 'nan' }],
    ['null', { lat: null, lng: null }],
    ['one of them null', { lat: 35.2, lng: null }],
    ['empty', { lat: '', lng: '' }],
    ['those of a sensor that is away', { lat: 'unavailable', lng: 'Unknown' }],
    ['infinite', { lat: 'Infinity', lng: '-inf' }],
    ['those of C libraries', { lat: '-nan(ind)', lng: '-1.#IND00' }],
    ['no text at all', { lat: '--', lng: 'n/a' }],
    ['0, 0', { lat: 0, lng: 0 }],
    ['none', {}],
  ])('is heard without a position where the coordinates are %s, also without a time', (_name, given) => {
    for (const time of [TIME, undefined])
      expect(parse({ ...given, time })).toMatchObject([{ deviceId: '7', lat: null, lng: null }]);
  });

  it('reads coordinates and measurements that are written as text', () => {
    expect(parse({ lat: '35.2', lng: '-101.8', time: TIME, measured: '0.5' })).toMatchObject([
      { lat: 35.2, lng: -101.8, headingDeg: 0.5, altitudeM: 0.5 },
    ]);
  });

  it('refuses coordinates that are no numbers, and one without the other', () => {
    for (const given of [{ lat: 'north', lng: 1 }, { lat: 91, lng: 1 }, { lat: 1 }])
      expect(() => parse({ ...given, time: TIME })).toThrow(/latitude|longitude/);
  });
});

it.each([
  '2026-11-28T10:15:00-06',
  '2026-11-28T16:15:00+00',
  '20261128T161500Z',
  '20261128T101500-0600',
  '20261128T1615Z',
  '2026-11-28T161500Z',
  '2026-11-28 16:15:00 00',
])('%s is a time', (time) => {
  expect(PROTOCOLS.OsmAnd!({ lat: 1, lng: 1, time })).toMatchObject([{ fixAtMs: NOW_MS }]);
});

it('a numeric tid names the device of an OwnTracks message', () => {
  const message = { _type: 'location', lat: 1, lon: 1, tst: 1_780_000_000, tid: 42 };
  expect(parseOwntracks(message, { ...SENDER, device: null })).toMatchObject([{ deviceId: '42' }]);
});
