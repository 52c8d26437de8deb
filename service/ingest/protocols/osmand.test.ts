import { describe, expect, it } from 'vitest';
import { IngestInputError } from '../fields';
import { parseOsmand } from './osmand';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const parse = (query: string) => parseOsmand(new URLSearchParams(query), NOW_MS);
const failure = (query: string): IngestInputError => {
  try {
    parse(query);
  } catch (error) {
    if (error instanceof IngestInputError) return error;
    throw error;
  }
  throw new Error(`Got no error for ${query}`);
};

describe('parseOsmand', () => {
  it('reads a full report, with the speed in knots', () => {
    expect(
      parse(
        'id=truck-7&lat=35.2220&lon=-101.8313&timestamp=1767323045&speed=54&bearing=271.5&altitude=1099&accuracy=8&batt=87.4',
      ),
    ).toEqual([
      {
        deviceId: 'truck-7',
        fixAtMs: 1_767_323_045_000,
        lat: 35.222,
        lng: -101.8313,
        speedKph: expect.closeTo(100.008, 6),
        headingDeg: 271.5,
        altitudeM: 1099,
        accuracyM: 8,
        batteryPercent: 87.4,
        isIgnitionOn: null,
        odometerM: null,
        alarm: null,
      },
    ]);
  });

  it('reads the other names: deviceid, location and heading', () => {
    const [fix] = parse('deviceid=7&location=35.5,-101.25&heading=360&timestamp=1767323045');
    expect(fix).toMatchObject({ deviceId: '7', lat: 35.5, lng: -101.25, headingDeg: 0 });
  });

  it.each([
    ['1767323045', 'Unix seconds'],
    ['1767323045000', 'Unix milliseconds'],
    ['2026-01-02T03:04:05Z', 'ISO 8601 in UTC'],
    ['2026-01-01T21:04:05-06:00', 'ISO 8601 with an offset'],
    ['2026-01-02T05:04:05%2B0200', 'an offset without a colon'],
    ['2026-01-02T05:04:05+02:00', 'an offset whose plus sign the query string turned into a space'],
    ['2026-01-02 03:04:05', 'a plain date and time, taken as UTC'],
  ])('reads the timestamp %s (%s)', (timestamp) => {
    expect(parse(`id=7&lat=1&lon=1&timestamp=${timestamp}`)[0]?.fixAtMs).toBe(1_767_323_045_000);
  });

  it('takes the last value of a repeated parameter', () => {
    expect(parse('id=6&id=7&lat=1&lat=35.5&lon=2&lon=-101.25')).toMatchObject([
      { deviceId: '7', lat: 35.5, lng: -101.25 },
    ]);
  });

  it.each(['1', 'true', 'YES'])('reads the position of a report with valid=%s', (valid) => {
    expect(parse(`id=7&lat=1&lon=1&valid=${valid}`)).toMatchObject([{ lat: 1 }]);
  });

  it('stores the battery as it was reported, in percent', () => {
    expect(parse('id=7&lat=1&lon=1&batt=87.5')[0]?.batteryPercent).toBe(87.5);
  });

  it('takes the time of arrival for a report without a timestamp', () => {
    expect(parse('id=7&lat=1&lon=1')[0]?.fixAtMs).toBe(NOW_MS);
  });

  it('keeps a time in the future as the device sent it', () => {
    expect(parse('id=7&lat=1&lon=1&timestamp=2040-01-01T00:00:00Z')[0]?.fixAtMs).toBe(Date.UTC(2040, 0, 1));
  });

  it('accepts parameters that it does not store, with any value', () => {
    const [fix] = parse(
      'id=7&lat=1&lon=2&timestamp=1767323045&hdop=0.9&charge=true&valid=1&driverUniqueId=D%201&cell=310,410,1,2&wifi=00-11,-61&alarm=sos',
    );
    expect(fix).toMatchObject({ lat: 1, lng: 2, speedKph: null, headingDeg: null, batteryPercent: null });
  });

  it('takes negative, NaN and empty measurements as unknown and keeps the position', () => {
    const [fix] = parse('id=7&lat=1&lon=2&speed=-1&bearing=-1&altitude=&accuracy=NaN&batt=-1');
    expect(fix).toMatchObject({
      lat: 1,
      speedKph: null,
      headingDeg: null,
      altitudeM: null,
      accuracyM: null,
      batteryPercent: null,
    });
  });

  it('keeps an altitude below the sea', () => {
    expect(parse('id=7&lat=36.2&lon=-116.9&altitude=-82')[0]?.altitudeM).toBe(-82);
  });

  it.each([
    ['id=7&lat=35.2&lon=-101.8&valid=0', 'an invalid fix'],
    ['id=7&lat=35.2&lon=-101.8&valid=false', 'an invalid fix'],
    ['id=7&lat=35.2&lon=-101.8&valid=FALSE', 'an invalid fix'],
    ['id=7&lat=0&lon=0.0', '0,0'],
    ['id=7&location=0,0', '0,0'],
    ['id=7&lat=&lon=', 'empty coordinates'],
    ['id=7&lat=35.2&lon=', 'one empty coordinate'],
    ['id=7&location=unavailable', 'a location that is not known'],
    ['id=7&location=', 'an empty location'],
    ['id=7&location=null,null', 'a location of nulls'],
    ['id=7&timestamp=1767323045&batt=87&charge=true', 'a heartbeat of Traccar Client 10'],
    ['id=7&notificationToken=d%3AAPA91b', 'the notification token of Traccar Client'],
    [
      'id=7&cell=310,410,1,2&cell=310,410,1,3,-90&wifi=00-11-22-33-44-55,-61',
      'cell towers and access points',
    ],
  ])('reads no position from %s (%s)', (query) => {
    expect(parse(query)).toMatchObject([{ deviceId: '7', lat: null, lng: null }]);
  });

  it('reads a form of Traccar Client 10', () => {
    const [fix] = parse(
      'id=48241179&lat=35.222&lon=-101.8313&timestamp=1767323045&accuracy=4.6&altitude=1099.4&speed=48.6&bearing=91.2&batt=57&charge=true',
    );
    expect(fix).toEqual({
      deviceId: '48241179',
      fixAtMs: 1_767_323_045_000,
      lat: 35.222,
      lng: -101.8313,
      speedKph: 90.007,
      headingDeg: 91.2,
      altitudeM: 1099.4,
      accuracyM: 4.6,
      batteryPercent: 57,
      isIgnitionOn: null,
      odometerM: null,
      alarm: null,
    });
  });

  it('reads the speed in m/s of an app that has no knots, and the state of the vehicle', () => {
    expect(parse('id=7&lat=1&lon=2&speedMps=25&ignition=false&odometer=1250&alarm=sos')).toMatchObject([
      { speedKph: 90, isIgnitionOn: false, odometerM: 1250, alarm: 'sos' },
    ]);
  });

  it.each(['none', '%7B', '[1]', '7'])('keeps the position of a report with attributes=%s', (attributes) => {
    expect(parse(`id=7&lat=1&lon=2&attributes=${attributes}`)).toMatchObject([
      { lat: 1, isIgnitionOn: null },
    ]);
  });

  it.each([
    ['lat=1&lon=1', 'id: expected the device id, as text, got nothing'],
    ['id=%20&lat=1&lon=1', 'id: expected the device id, as text, got nothing'],
    ['id=7&lon=1', 'lat: expected a latitude from -90 to 90 degrees, got nothing'],
    ['id=7&lat=90.1&lon=1', 'lat: expected a latitude from -90 to 90 degrees, got 90.1'],
    ['id=7&lat=1&lon=-180.5', 'lon: expected a longitude from -180 to 180 degrees, got -180.5'],
    ['id=7&lat=abc&lon=1', 'lat: expected a latitude from -90 to 90 degrees, got "abc"'],
    ['id=7&location=12', 'location: expected lat,lon, got "12"'],
    ['id=7&lat=1&lon=1&valid=maybe', 'valid: expected true, false, yes, no, 1 or 0, got "maybe"'],
    [
      'id=7&lat=1&lon=1&timestamp=2026-02-31T00:00:00Z',
      'timestamp: expected a time as Unix seconds, Unix milliseconds or ISO 8601, got "2026-02-31T00:00:00Z"',
    ],
    [
      'id=7&lat=1&lon=1&timestamp=0085-03-01T00:00:00Z',
      'timestamp: expected a time as Unix seconds, Unix milliseconds or ISO 8601, got "0085-03-01T00:00:00Z"',
    ],
    [
      'id=7&lat=1&lon=1&timestamp=yesterday',
      'timestamp: expected a time as Unix seconds, Unix milliseconds or ISO 8601, got "yesterday"',
    ],
  ])('refuses %s', (query, message) => {
    const error = failure(query);
    expect(error.message).toBe(message);
    expect(error.code).toBe('invalid_input');
  });

  it('accepts a place on the equator', () => {
    expect(parse('id=7&lat=0&lon=9.45')).toHaveLength(1);
  });

  it('cuts a long value short in its message', () => {
    expect(failure(`id=7&lat=${'9'.repeat(500)}x&lon=1`).message.length).toBeLessThan(120);
  });
});
