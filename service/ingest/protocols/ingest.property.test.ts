import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportInputSchema, type ReportInput } from '../../store/inputs';
import { requireFixTime, IngestInputError } from '../fields';
import { parseJson, readBasic, readToken } from '../request';
import { parseHomeAssistant } from './home-assistant';
import { parseOsmand, readParameters } from './osmand';
import { parseOverland } from './overland';
import { parseOwntracks } from './owntracks';
import { parseTraccar } from './traccar';
import { IS_LONG } from '@/testing/long';
import { expectInTime } from '@/testing/processor-time';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
/** The smallest magnitude other than zero that a `real` of PostgreSQL holds in full. */
const SMALLEST_REAL = 1.2e-38;

/** What the store accepts, and every `real` column can hold. */
const expectStorable = (fix: ReportInput): void => {
  expect(reportInputSchema.safeParse(fix).error).toBeUndefined();
  expect(fix.deviceId).toMatch(/^[^\p{Cc}\p{Cs}]{1,200}$/u);
  expect(fix.headingDeg ?? 0).toBeLessThan(360);
  for (const value of [fix.speedKph, fix.headingDeg, fix.altitudeM, fix.accuracyM, fix.batteryPercent])
    if (value !== null && value !== 0) expect(Math.abs(value)).toBeGreaterThan(SMALLEST_REAL);
};

/** Runs a parser: in time, to fixes that can be stored or to the one class of error, with a short message. */
const expectSafe = (parse: () => ReportInput[]): void =>
  expectInTime(() => {
    try {
      parse().forEach(expectStorable);
    } catch (error) {
      if (!(error instanceof IngestInputError)) throw error;
      expect(error.message.length).toBeLessThan(300);
    }
  });

const EXTREMES = [
  0,
  -0,
  1e39,
  -1e39,
  1e-200,
  1e308,
  -1e308,
  5e-324,
  Infinity,
  -Infinity,
  NaN,
  359.9999,
  2 ** 53,
];
const numberArb = fc.oneof(
  fc.double(),
  fc.constantFrom(...EXTREMES),
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.integer({ min: 0, max: 4e12 }),
);
const textArb = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud83d',
    'a\udc00',
    'device',
    'user',
    'a/b/c',
    '2026-01-02T03:04:05Z',
    '1767323045',
  ),
  numberArb.map(String),
);
const anyArb = fc.oneof(
  numberArb,
  textArb,
  fc.constant(null),
  fc.constant(undefined),
  fc.jsonValue({ maxDepth: 3 }),
);
/** Mostly what belongs into a field, so that reports also pass. */
const mostly = <T>(good: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 20, arbitrary: good }, { weight: 1, arbitrary: anyArb });
const latArb = mostly(fc.double({ min: -90, max: 90, noNaN: true }));
const lngArb = mostly(fc.double({ min: -180, max: 180, noNaN: true }));
const timeArb = mostly(
  fc.oneof(numberArb, fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-02 03:04:05 0530')),
);
const deviceArb = mostly(fc.oneof(fc.constant('truck-7'), textArb));
const RUNS = { numRuns: IS_LONG ? 500 : 200 };

describe('every protocol gives fixes that can be stored, or an IngestInputError', () => {
  it('OsmAnd', () => {
    const names = [
      'id',
      'deviceid',
      'lat',
      'lon',
      'location',
      'timestamp',
      'speed',
      'bearing',
      'heading',
      'altitude',
      'accuracy',
      'batt',
      'speedMps',
      'ignition',
      'odometer',
      'alarm',
      'attributes',
      'valid',
      'x',
    ];
    const valueArb = fc.oneof(numberArb.map(String), textArb, fc.tuple(latArb, lngArb).map(String));
    const pairArb = fc.tuple(fc.constantFrom(...names), valueArb);
    const required = fc.record({ id: deviceArb, lat: latArb, lon: lngArb }).map(Object.entries);
    fc.assert(
      fc.property(required, fc.array(pairArb, { maxLength: 12 }), fc.boolean(), (first, more, isForm) => {
        const pairs = [...first, ...more].map(([name, value]) => [name, String(value)]);
        const text = String(new URLSearchParams(pairs));
        expectSafe(() => parseOsmand(isForm ? readParameters('', text) : readParameters(text, ''), NOW_MS));
      }),
      RUNS,
    );
    fc.assert(
      fc.property(textArb, textArb, (query, form) =>
        expectSafe(() => parseOsmand(readParameters(query, form), NOW_MS)),
      ),
      RUNS,
    );
  });

  const locationArb = mostly(
    fc.record({
      timestamp: timeArb,
      coords: mostly(
        fc.record({
          latitude: latArb,
          longitude: lngArb,
          accuracy: mostly(numberArb),
          speed: mostly(numberArb),
          heading: mostly(numberArb),
          altitude: mostly(numberArb),
        }),
      ),
      battery: mostly(fc.record({ level: mostly(numberArb) })),
    }),
  );

  it('Traccar Client', () => {
    const bodyArb = mostly(
      fc.record({
        device_id: deviceArb,
        location: fc.oneof(locationArb, fc.array(locationArb, { maxLength: 3 })),
      }),
    );
    fc.assert(
      fc.property(bodyArb, (body) => expectSafe(() => parseTraccar(body))),
      RUNS,
    );
  });

  it('Traccar server', () => {
    const attributesArb = mostly(
      fc.record({ batteryLevel: anyArb, ignition: anyArb, odometer: anyArb, alarm: anyArb }),
    );
    const positionArb = mostly(
      fc.record({
        fixTime: timeArb,
        valid: mostly(fc.boolean()),
        latitude: latArb,
        longitude: lngArb,
        altitude: mostly(numberArb),
        speed: mostly(numberArb),
        course: mostly(numberArb),
        accuracy: mostly(numberArb),
        attributes: attributesArb,
      }),
    );
    const bodyArb = fc.record({ position: positionArb, device: mostly(fc.record({ uniqueId: deviceArb })) });
    fc.assert(
      fc.property(bodyArb, (body) => expectSafe(() => parseTraccar(body))),
      RUNS,
    );
  });

  it('Home Assistant', () => {
    const dataArb = mostly(
      fc.record({
        gps: mostly(fc.tuple(latArb, lngArb)),
        gps_accuracy: mostly(numberArb),
        speed: mostly(numberArb),
        course: mostly(numberArb),
        altitude: mostly(numberArb),
        battery: mostly(numberArb),
      }),
    );
    const bodyArb = mostly(fc.record({ type: mostly(fc.constant('update_location')), data: dataArb }));
    fc.assert(
      fc.property(bodyArb, fc.option(textArb), (body, device) =>
        expectSafe(() => parseHomeAssistant(body, device, NOW_MS)),
      ),
      RUNS,
    );
  });

  it('OwnTracks', () => {
    const bodyArb = mostly(
      fc.record({
        _type: mostly(fc.constantFrom('location', 'lwt', 'encrypted')),
        lat: latArb,
        lon: lngArb,
        tst: timeArb,
        vel: mostly(numberArb),
        cog: mostly(numberArb),
        alt: mostly(numberArb),
        vac: mostly(numberArb),
        acc: mostly(numberArb),
        batt: mostly(numberArb),
        tid: deviceArb,
        topic: mostly(textArb),
      }),
    );
    const nameArb = fc.option(textArb);
    const senderArb = fc.record({ device: nameArb, user: nameArb, basicUser: nameArb });
    fc.assert(
      fc.property(bodyArb, senderArb, (body, sender) => expectSafe(() => parseOwntracks(body, sender))),
      RUNS,
    );
  });

  it('Overland', () => {
    const featureArb = mostly(
      fc.record({
        geometry: mostly(
          fc.record({ type: mostly(fc.constant('Point')), coordinates: mostly(fc.tuple(lngArb, latArb)) }),
        ),
        properties: mostly(
          fc.record({
            timestamp: timeArb,
            device_id: deviceArb,
            speed: mostly(numberArb),
            course: mostly(numberArb),
            altitude: mostly(numberArb),
            horizontal_accuracy: mostly(numberArb),
            vertical_accuracy: mostly(numberArb),
            battery_level: mostly(numberArb),
            action: fc.option(textArb),
          }),
        ),
      }),
    );
    const bodyArb = mostly(
      fc.record({
        locations: mostly(fc.array(featureArb, { maxLength: 3 })),
        current: fc.option(featureArb),
      }),
    );
    fc.assert(
      fc.property(bodyArb, fc.option(textArb), (body, device) =>
        expectSafe(() => parseOverland(body, device)),
      ),
      RUNS,
    );
  });
});

describe('what all protocols share', () => {
  it('a body is JSON or refused, however it is nested', () => {
    const bodyArb = fc.oneof(
      textArb,
      fc.json(),
      fc.integer({ min: 1, max: 200_000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
      fc.integer({ min: 1, max: 20_000 }).map((depth) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`),
      fc
        .tuple(fc.constantFrom('location', 'locations', 'current'), fc.integer({ min: 1, max: 50_000 }))
        .map(([part, depth]) => `{"device_id":"7","${part}":${'['.repeat(depth)}${']'.repeat(depth)}}`),
    );
    const parsers = [
      parseTraccar,
      (body: unknown) => parseOverland(body, null),
      (body: unknown) => parseOwntracks(body, { device: null, user: null, basicUser: null }),
    ];
    fc.assert(
      fc.property(bodyArb, (text) => parsers.forEach((parse) => expectSafe(() => parse(parseJson(text))))),
      { numRuns: IS_LONG ? 60 : 20 },
    );
  });

  it('a time is a whole number of milliseconds that the store takes', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789-:T.,+Z '), maxLength: 40 });
    fc.assert(
      fc.property(fc.oneof(anyArb, digits), (value) =>
        expectSafe(() => [
          {
            deviceId: '7',
            fixAtMs: requireFixTime(value, 'time'),
            lat: 1,
            lng: 1,
            speedKph: null,
            headingDeg: null,
            altitudeM: null,
            accuracyM: null,
            batteryPercent: null,
          },
        ]),
      ),
      RUNS,
    );
  });

  it('a token is read from any header without an error', () => {
    const headerArb = fc.oneof(
      textArb,
      textArb.map((text) => `Bearer ${text}`),
      fc.base64String().map((text) => `Basic ${text}`),
    );
    fc.assert(
      fc.property(
        fc.option(textArb, { nil: undefined }),
        fc.option(headerArb, { nil: undefined }),
        (text, authorization) => {
          const token = readToken({ path: text, authorization, query: text });
          expect(token === null || token.length > 0).toBe(true);
          expect(readBasic(authorization)?.user ?? '').not.toContain(':');
        },
      ),
      RUNS,
    );
  });
});
