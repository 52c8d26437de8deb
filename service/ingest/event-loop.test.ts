import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestStore } from '../../testing/service/store';
import { CARRIER, toVehicle } from '../../testing/service/vehicles';
import { silentLog } from '../log';
import { createService, type Service } from '../service';
import { MAX_BODY_BYTES } from './request';
import { startStopwatch } from '@/testing/processor-time';

/** The longest time in ms for which one request may keep all others waiting. */
const MAX_HOLD_MS = 50;
/**
 * The same limit on a slower or busier machine, in times of what it takes there to parse 2 MB of small objects: that is 16
 * to 20 ms on a quiet one.
 */
const MAX_HOLD_PARSES = 3;
/** The best of these counts: other programs of the machine can lengthen a run, and never shorten one. */
const ATTEMPTS = 6;

const test = createTestStore();
let service: Service;
let token = '';

beforeAll(async () => {
  await test.store.carriers.upsert(CARRIER);
  await test.store.vehicles.upsertMany([toVehicle(1)]);
  ({ token } = await test.store.ingestTokens.create({ usdot: CARRIER.usdot, name: 'phones' }));
  service = createService({ store: test.store, now: test.now, log: silentLog });
});

/** The longest stretch of work in ms between two turns of the event loop while `work` is under way. */
const measureHold = async (work: () => Promise<unknown>): Promise<number> => {
  let longestMs = 0;
  let isDone = false;
  const watch = async (): Promise<void> => {
    while (!isDone) {
      const readMs = startStopwatch();
      await nextTurn();
      longestMs = Math.max(longestMs, readMs());
    }
  };
  const watching = watch();
  await work();
  await nextTurn();
  isDone = true;
  await watching;
  return longestMs;
};

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const send = (path: string, body: string | null, type: string): Promise<Response> =>
  service.fetch(
    new Request(`http://service.test/ingest/${token}${path}`, {
      method: body === null ? 'GET' : 'POST',
      body,
      headers:
        body === null ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
    }),
  );

const repeat = (text: string, end = ''): string =>
  text.repeat(Math.floor((MAX_BODY_BYTES - 200) / text.length)) + end;
const range = <T>(count: number, toItem: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => toItem(i));
const fill = (text: string): string => text + 'x'.repeat(MAX_BODY_BYTES - Buffer.byteLength(text) - 10);

const FIX = 'id=device-1&lat=35.2&lon=-101.8';

/** A feature with every field of the app, of a size that 2,000 of them just fit in a request. */
const feature = (i: number) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [-101.8, 35.2] },
  properties: {
    timestamp: new Date(test.nowMs - i * 1000).toISOString(),
    device_id: 'device-1',
    speed: 25.25,
    course: 90.5,
    altitude: 1099.25,
    horizontal_accuracy: 5,
    vertical_accuracy: 3,
    speed_accuracy: 1,
    course_accuracy: 2,
    battery_level: 0.875,
    battery_state: 'charging',
    motion: ['driving', 'stationary'],
    pauses: false,
    activity: 'automotive_navigation',
    desired_accuracy: 100,
    deferred: 0,
    significant_change: 'disabled',
    locations_in_payload: 1,
    tracking_mode: 1,
    wifi: 'x'.repeat(300),
  },
});
const note = (i: number) => ({ ...feature(i), properties: { action: 'visit', timestamp: i } });
const backlog = (i: number) => ({
  timestamp: new Date(test.nowMs - i * 1000).toISOString(),
  coords: { latitude: 35.2, longitude: -101.8, speed: 25.2, heading: 90, accuracy: 5, altitude: 1099 },
  battery: { level: 0.5, is_charging: true },
  activity: { type: 'in_vehicle', confidence: 100 },
  extras: {},
  odometer: 12345.6,
  uuid: 'x'.repeat(300),
});
const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const owntracks = { _type: 'location', lat: 35.2, lon: -101.8, tid: 'device-1', tst: 1_767_323_045 };
const traccar = { device_id: 'device-1', location: backlog(0) };

type Sent = [path: string, body: string | null, type: string];

const LARGEST_JSON = JSON.stringify(
  Array.from({ length: MAX_BODY_BYTES / 24 }, (_, i) => ({ key: i, x: 'xx' })),
);

const measureParse = (): Promise<number> => measureHold(() => Promise.resolve(JSON.parse(LARGEST_JSON)));

const expectShortHold = async (toRequest: () => Sent, statuses: number[]): Promise<void> => {
  const sent = toRequest();
  let leastMs = Infinity;
  let limitMs = MAX_HOLD_MS;
  for (let attempt = 0; attempt < ATTEMPTS && leastMs > limitMs; attempt++) {
    const holdMs = await measureHold(async () => expect(statuses).toContain((await send(...sent)).status));
    leastMs = Math.min(leastMs, holdMs);
    limitMs = Math.max(MAX_HOLD_MS, MAX_HOLD_PARSES * (await measureParse()));
  }
  expect(leastMs).toBeLessThanOrEqual(limitMs);
};

describe('the largest body that is accepted holds the event loop for a short time', () => {
  it.each<[string, () => Sent]>([
    ['an OsmAnd query of 16 kB', () => [`/osmand?${FIX}&a=${'%41'.repeat(5300)}`, null, '']],
    ['an OsmAnd form of 100 parameters', () => ['/osmand', fill(`${FIX}${'&a=1'.repeat(96)}&b=`), FORM]],
    [
      'an OsmAnd location of a million numbers',
      () => ['/osmand', `id=device-1&location=${repeat('1,')}`, FORM],
    ],
    ['an escaped OsmAnd form', () => ['/osmand', repeat('%41', '&').replace(/^/, 'a=') + FIX, FORM]],
    [
      'the JSON of one Traccar report',
      () => ['/traccar', fill(JSON.stringify(traccar)).replace(/(x+)$/, ''), JSON_TYPE],
    ],
    [
      'a Traccar backlog',
      () => [
        '/traccar',
        JSON.stringify({ device_id: 'device-1', location: range(2000, backlog) }),
        JSON_TYPE,
      ],
    ],
    [
      'a Traccar report with a nested extra',
      () => ['/traccar', `{"x":${deep(118_000)},${JSON.stringify(traccar).slice(1)}`, JSON_TYPE],
    ],
    [
      'an OwnTracks message with a long text',
      () => ['/owntracks', JSON.stringify({ ...owntracks, inregions: 'é'.repeat(1_000_000) }), JSON_TYPE],
    ],
    [
      'an OwnTracks card',
      () => ['/owntracks', JSON.stringify({ _type: 'card', face: 'x'.repeat(2_000_000) }), JSON_TYPE],
    ],
    [
      'an Overland batch',
      () => ['/overland', JSON.stringify({ locations: range(2000, feature) }), JSON_TYPE],
    ],
    [
      'an Overland batch of visits',
      () => ['/overland', JSON.stringify({ locations: range(2000, note) }), JSON_TYPE],
    ],
    [
      'an Overland batch with one point of very many coordinates',
      () => [
        '/overland',
        JSON.stringify({
          locations: [
            {
              ...feature(0),
              geometry: { type: 'Point', coordinates: [-101, 35, ...range(116_000, () => 1)] },
            },
          ],
        }),
        JSON_TYPE,
      ],
    ],
    [
      'an Overland batch with many empty objects',
      () => ['/overland', `{"x":[${'{},'.repeat(39_000)}0],"locations":[]}`, JSON_TYPE],
    ],
    [
      'an Overland batch with many keys',
      () => [
        '/overland',
        `{"locations":[],"x":{${range(58_000, (i) => `"k${i.toString(36)}":1`).join()}}}`,
        JSON_TYPE,
      ],
    ],
  ])('%s', (_, toRequest) => expectShortHold(toRequest, [200]));
});

describe('a body that is refused holds it for a short time', () => {
  it.each<[string, () => Sent]>([
    ['an OsmAnd query of 8,000 parameters', () => [`/osmand?${FIX}${'&a'.repeat(8000)}`, null, '']],
    ['an OsmAnd form of 40,000 parameters', () => ['/osmand', FIX + '&a=1'.repeat(40_000), FORM]],
    ['an OsmAnd form of a million parameters', () => ['/osmand', repeat('a&', FIX), FORM]],
    [
      'an OsmAnd number of two million digits',
      () => ['/osmand', `id=device-1&lon=1&lat=${repeat('1', 'x')}`, FORM],
    ],
    [
      'an OsmAnd location of two million blanks',
      () => ['/osmand', `id=device-1&location=1,1${repeat(' ', 'x')}`, FORM],
    ],
    ['an OsmAnd time of two million digits', () => ['/osmand', `${FIX}&timestamp=${repeat('1', 'x')}`, FORM]],
    ['an OsmAnd id of two million characters', () => ['/osmand', `lat=1&lon=1&id=${repeat('1', 'x')}`, FORM]],
    ['JSON nested a million deep', () => ['/traccar', deep(1_000_000), JSON_TYPE]],
    ['JSON of 700,000 objects', () => ['/overland', `{"locations":[${repeat('{},', '0]}')}`, JSON_TYPE]],
    [
      'JSON of 200,000 keys',
      () => ['/owntracks', `{${range(200_000, (i) => `"${i.toString(36)}x":1`).join()}}`, JSON_TYPE],
    ],
    [
      'a Traccar backlog of 30,000 locations',
      () => [
        '/traccar',
        `{"device_id":"device-1","location":[${repeat('{"timestamp":1,"coords":{"latitude":1,"longitude":1}},', '0]}')}`,
        JSON_TYPE,
      ],
    ],
    ['text that is no JSON', () => ['/traccar', repeat('\u0001é'), JSON_TYPE]],
    [
      'an OwnTracks time of two million characters',
      () => ['/owntracks', JSON.stringify({ ...owntracks, tst: '1'.repeat(2_000_000) }), JSON_TYPE],
    ],
    [
      'an OwnTracks topic of a million parts',
      () => [
        '/owntracks',
        JSON.stringify({ ...owntracks, topic: '/'.repeat(1_000_000) + 'x', tid: null }),
        JSON_TYPE,
      ],
    ],
  ])('%s', (_, toRequest) => expectShortHold(toRequest, [400, 413]));
});
