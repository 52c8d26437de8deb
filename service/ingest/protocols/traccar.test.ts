import { describe, expect, it } from 'vitest';
import { IngestInputError } from '../fields';
import { parseTraccar } from './traccar';

const location = {
  timestamp: '2026-01-02T03:04:05.250Z',
  coords: {
    latitude: 35.222,
    longitude: -101.8313,
    accuracy: 4.6,
    speed: 25,
    heading: 91.2,
    altitude: 1099.4,
  },
  is_moving: true,
  odometer: 12_345.6,
  event: 'motionchange',
  battery: { level: 0.57, is_charging: true },
  activity: { type: 'in_vehicle' },
  extras: {},
};
const report = { location, device_id: '48241179' };

describe('parseTraccar', () => {
  it('reads a report, with the speed in meters a second and the battery as a share', () => {
    expect(parseTraccar(report)).toEqual([
      {
        deviceId: '48241179',
        fixAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 250),
        lat: 35.222,
        lng: -101.8313,
        speedKph: 90,
        headingDeg: 91.2,
        altitudeM: 1099.4,
        accuracyM: 4.6,
        batteryPercent: 57,
        isIgnitionOn: null,
        odometerM: 12_346,
        alarm: null,
      },
    ]);
  });

  it('takes -1 as unknown', () => {
    const coords = { ...location.coords, speed: -1, heading: -1, accuracy: -1 };
    const fixes = parseTraccar({ ...report, location: { ...location, coords, battery: { level: -1 } } });
    expect(fixes[0]).toMatchObject({
      speedKph: null,
      headingDeg: null,
      accuracyM: null,
      batteryPercent: null,
    });
  });

  it('reads a report with only a position and a time', () => {
    const fixes = parseTraccar({
      device_id: 7,
      location: { timestamp: location.timestamp, coords: { latitude: 1, longitude: 2 } },
    });
    expect(fixes[0]).toMatchObject({ deviceId: '7', lat: 1, lng: 2, batteryPercent: null });
  });

  it.each([
    ['without coords', { ...location, coords: undefined }],
    ['at 0,0', { ...location, coords: { latitude: 0, longitude: 0 } }],
  ])('reads no position from a report %s', (_, given) => {
    expect(parseTraccar({ ...report, location: given })).toMatchObject([
      { deviceId: '48241179', lat: null, lng: null, batteryPercent: 57 },
    ]);
  });

  it('reads a backlog in an array', () => {
    const later = { ...location, timestamp: '2026-01-02T03:05:05Z' };
    const fixes = parseTraccar({ ...report, location: [location, later] });
    expect(fixes.map(({ fixAtMs }) => fixAtMs)).toEqual([
      Date.UTC(2026, 0, 2, 3, 4, 5, 250),
      Date.UTC(2026, 0, 2, 3, 5, 5),
    ]);
  });

  const refused: [body: unknown, reason: string][] = [
    [null, 'body: expected an object, got null'],
    [{ location }, 'device_id: expected the device id, as text, got nothing'],
    [{ device_id: '7', location: 7 }, 'location: expected an object, got 7'],
    [{ device_id: '7', location: '35.2,-101.8' }, 'location: expected an object, got "35.2,-101.8"'],
    [
      { device_id: '7', location: { timestamp: location.timestamp, coords: { longitude: 1 } } },
      'location.coords.latitude: expected a latitude from -90 to 90 degrees, got nothing',
    ],
    [
      { device_id: '7', location: { ...location, timestamp: null } },
      'location.timestamp: expected a time as Unix seconds, Unix milliseconds or ISO 8601, got null',
    ],
    [
      { device_id: '7', location: [location, { ...location, timestamp: 'noon' }] },
      'location[1].timestamp: expected a time as Unix seconds, Unix milliseconds or ISO 8601, got "noon"',
    ],
  ];

  it.each(refused.map(([body, reason]) => ({ reason, body })))('refuses: $reason', ({ body, reason }) => {
    expect(() => parseTraccar(body)).toThrow(IngestInputError);
    expect(() => parseTraccar(body)).toThrow(reason);
  });

  it('refuses a latitude that is out of range, naming it', () => {
    const coords = { ...location.coords, latitude: 100 };
    expect(() => parseTraccar({ ...report, location: { ...location, coords } })).toThrow(
      'location.coords.latitude: expected a latitude from -90 to 90 degrees, got 100',
    );
  });
});
