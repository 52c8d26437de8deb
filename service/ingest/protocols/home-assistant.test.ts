import { describe, expect, it } from 'vitest';
import { parseHomeAssistant } from './home-assistant';

const NOW_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
/** As the app for iOS sends it; that for Android sends whole numbers, and the battery as a sensor. */
const data = {
  gps: [35.222, -101.8313],
  gps_accuracy: 4.6,
  battery: 87,
  speed: 25,
  altitude: 1099.4,
  course: 271.5,
  vertical_accuracy: 3,
  in_zones: ['zone.yard'],
};
const parse = (body: unknown, device: string | null = 'truck-7') => parseHomeAssistant(body, device, NOW_MS);

describe('parseHomeAssistant', () => {
  it('reads a location, with the speed in meters a second, at the time of its arrival', () => {
    expect(parse({ type: 'update_location', data })).toEqual([
      {
        deviceId: 'truck-7',
        fixAtMs: NOW_MS,
        lat: 35.222,
        lng: -101.8313,
        speedKph: 90,
        headingDeg: 271.5,
        altitudeM: 1099.4,
        accuracyM: 4.6,
        batteryPercent: 87,
      },
    ]);
  });

  it('reads no position from a message that has only a zone', () => {
    expect(parse({ type: 'update_location', data: { location_name: 'home', battery: 60 } })).toMatchObject([
      { deviceId: 'truck-7', lat: null, lng: null, batteryPercent: 60 },
    ]);
  });

  it('reads a message that is marked as not encrypted', () => {
    const marked = { encrypted: false, encrypted_data: null };
    expect(parse({ type: 'update_location', ...marked, data: { ...data, ...marked } })).toMatchObject([
      { lat: 35.222 },
    ]);
  });

  it.each(['update_sensor_states', 'register_sensor', 'get_config', 'update_registration'])(
    'accepts a message of type %s and reads nothing from it',
    (type) => expect(parse({ type, data: [] }, null)).toEqual([]),
  );

  it.each([
    [{ type: 'encrypted', encrypted: true, encrypted_data: 'c2VhbGVk' }],
    [{ type: 'update_location', encrypted: true, encrypted_data: 'c2VhbGVk' }],
    [{ type: 'update_location', encrypted_data: 'c2VhbGVk' }],
    [{ encrypted: true }],
    [{ type: 'update_location', data: { encrypted: true } }],
    [{ type: 'update_location', data: { encrypted: 'true', encrypted_data: 'c2VhbGVk', gps: [1, 1] } }],
    [{ type: 'update_location', data: { encrypted_data: 'c2VhbGVk' } }],
    [{ type: 'render_template', data: { type: 'encrypted' } }],
  ])('refuses an encrypted report with a hint: %j', (body) => {
    expect(() => parse(body)).toThrow(
      expect.objectContaining({
        code: 'encrypted_payload',
        message: expect.stringContaining('the documented automation') as string,
      }) as Error,
    );
  });

  it.each([
    [
      { type: 'update_location', data },
      null,
      'id in the address: expected the device id, as text, got nothing',
    ],
    [{ type: 'update_location', data: 7 }, '7', 'data: expected an object, got 7'],
    [{ type: 'update_location', data: { gps: [95, 1] } }, '7', 'data.gps[0]: expected a latitude'],
    [{ encrypted: false }, '7', 'type: expected a string, got nothing'],
  ])('refuses what is malformed: %#', (body, device, reason) => {
    expect(() => parse(body, device)).toThrow(reason);
  });
});
