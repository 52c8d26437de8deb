import { describe, expect, it } from 'vitest';
import { parseOsmand, readParameters } from './osmand';
import { parseTraccar } from './traccar';

/*
 * Payloads with every field that a Traccar server serializes (org.traccar.model.Position and Device, 6.x), in the types and
 * the form of time of its ObjectMapper.
 */
const position = {
  id: 90_211,
  attributes: {
    batteryLevel: 87.5,
    battery: 4.1,
    power: 13.9,
    ignition: true,
    motion: true,
    charge: true,
    odometer: 612_345_678.4,
    totalDistance: 4_412_331.2,
    distance: 132.4,
    hours: 41_233_000,
    rpm: 1450,
    fuel: 212.5,
    alarm: 'powerCut,hardBraking',
    sat: 11,
    hdop: 0.9,
    rssi: 4,
    io239: 1,
    dtcs: 'P0420',
    driverUniqueId: 'D-7',
  },
  deviceId: 42,
  protocol: 'teltonika',
  serverTime: '2026-01-02T03:04:06.120+00:00',
  deviceTime: '2026-01-02T03:04:05.000+00:00',
  fixTime: '2026-01-02T03:04:05.000+00:00',
  valid: true,
  latitude: 35.222,
  longitude: -101.8313,
  altitude: 1099.4,
  speed: 54,
  course: 271.5,
  address: null,
  accuracy: 0,
  network: { radioType: 'gsm', considerIp: false, cellTowers: [{ cellId: 2224, mobileCountryCode: 310 }] },
  geofenceIds: [3],
};
const device = {
  id: 42,
  attributes: { speedLimit: 60 },
  groupId: 1,
  calendarId: 0,
  name: 'Truck 4107',
  uniqueId: '867730051234567',
  status: 'online',
  lastUpdate: '2026-01-02T03:04:06.120+00:00',
  positionId: 90_210,
  phone: null,
  model: 'FMC130',
  contact: null,
  category: 'truck',
  disabled: false,
  expirationTime: null,
};

const stored = {
  deviceId: '867730051234567',
  fixAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  lat: 35.222,
  lng: -101.8313,
  speedKph: 100.008,
  headingDeg: 271.5,
  altitudeM: 1099.4,
  accuracyM: null,
  batteryPercent: 87.5,
  isIgnitionOn: true,
  odometerM: 612_345_678,
  alarm: 'powerCut,hardBraking',
};

describe('a position that a Traccar server forwards', () => {
  it('is read from JSON (forward.type=json), with its device by uniqueId', () => {
    expect(parseTraccar({ position, device })).toEqual([stored]);
  });

  it('is read from an address (forward.type=url) that has the settings of docs/ingest.md', () => {
    const query = new URLSearchParams({
      id: device.uniqueId,
      lat: String(position.latitude),
      lon: String(position.longitude),
      timestamp: String(stored.fixAtMs),
      valid: String(position.valid),
      speed: String(position.speed),
      bearing: String(position.course),
      altitude: String(position.altitude),
      attributes: JSON.stringify(position.attributes),
    });
    expect(parseOsmand(readParameters(query.toString(), ''), 0)).toEqual([stored]);
  });

  it.each([
    ['is invalid', { ...position, valid: false }],
    ['is invalid as text', { ...position, valid: 'no' }],
    ['is invalid as a number', { ...position, valid: 0 }],
    [
      'is of a device that never had one',
      { ...position, fixTime: '1970-01-01T00:00:00.000+00:00', latitude: 0, longitude: 0 },
    ],
  ])('is a report without a position where it %s', (_, given) => {
    expect(parseTraccar({ position: given, device })).toMatchObject([{ lat: null, lng: null }]);
  });

  it('is a report without a position where it is an event, which has a device and no position', () => {
    expect(parseTraccar({ event: { type: 'deviceOffline' }, device })).toMatchObject([
      { deviceId: '867730051234567', lat: null, lng: null },
    ]);
  });

  it.each([
    [
      { ignition: 'false', odometer: '1250.6', obdOdometer: 9 },
      { isIgnitionOn: false, odometerM: 1251 },
    ],
    [{ obdOdometer: 9000, odometer: 0 }, { odometerM: 9000 }],
    [{ odometer: '6.123456784E8' }, { odometerM: 612_345_678 }],
    [{ ignition: 'maybe', odometer: -4, alarm: '', batteryLevel: 101 }, {}],
    [{ odometer: 'far', alarm: 'a\u0000b', batteryLevel: null, ignition: {} }, {}],
    [{ alarm: 'x'.repeat(201), odometer: 1e300 }, {}],
    [null, {}],
  ])('has the vehicle’s state from the attributes %j', (attributes, expected) => {
    const unknown = { batteryPercent: null, isIgnitionOn: null, odometerM: null, alarm: null };
    expect(parseTraccar({ position: { ...position, attributes }, device })).toMatchObject([
      { ...unknown, ...expected },
    ]);
  });

  it.each([
    [{ position, device: { ...device, uniqueId: undefined } }, 'device.uniqueId: expected the device id'],
    [{ position }, 'device: expected an object, got nothing'],
    [{ position: { ...position, latitude: 'x' }, device }, 'position.latitude: expected a latitude from'],
    [{ position: { ...position, fixTime: null }, device }, 'position.fixTime: expected a time as Unix'],
  ])('is refused where it is malformed: %#', (body, reason) => {
    expect(() => parseTraccar(body)).toThrow(reason);
  });
});
