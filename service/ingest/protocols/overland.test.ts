import { describe, expect, it } from 'vitest';
import { MAX_BATCH_LOCATIONS, IngestInputError } from '../fields';
import { parseOverland } from './overland';

const feature = (properties: Record<string, unknown> = {}, coordinates: unknown = [-101.8313, 35.222]) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: {
    timestamp: '2026-01-01T21:04:05-0600',
    altitude: 1099,
    speed: 25,
    course: 92,
    horizontal_accuracy: 5,
    vertical_accuracy: 3,
    motion: ['driving'],
    battery_state: 'charging',
    battery_level: 0.89,
    device_id: 'truck-7',
    wifi: '',
    ...properties,
  },
});

describe('parseOverland', () => {
  it('reads a batch, with the speed in meters a second and the battery as a share', () => {
    const fixes = parseOverland(
      { locations: [feature(), feature({ timestamp: '2026-01-02T03:05:05Z' }, [-101.9, 35.3, 1100])] },
      null,
    );
    expect(fixes).toHaveLength(2);
    expect(fixes[0]).toEqual({
      deviceId: 'truck-7',
      fixAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
      lat: 35.222,
      lng: -101.8313,
      speedKph: 90,
      headingDeg: 92,
      altitudeM: 1099,
      accuracyM: 5,
      batteryPercent: 89,
    });
    expect(fixes[1]).toMatchObject({ lat: 35.3, lng: -101.9 });
  });

  it('takes -1 as unknown', () => {
    const fixes = parseOverland(
      {
        locations: [
          feature({
            speed: -1,
            course: -1,
            horizontal_accuracy: -1,
            vertical_accuracy: -1,
            battery_level: -1,
          }),
        ],
      },
      null,
    );
    expect(fixes[0]).toMatchObject({
      speedKph: null,
      headingDeg: null,
      altitudeM: null,
      accuracyM: null,
      batteryPercent: null,
    });
  });

  it('takes the device of the address when the app names none', () => {
    expect(parseOverland({ locations: [feature({ device_id: '' })] }, 'truck-9')[0]?.deviceId).toBe(
      'truck-9',
    );
  });

  it('takes the unique id of the phone when neither names a device', () => {
    const unique = feature({ device_id: undefined, unique_id: 'B7E1-22' });
    expect(parseOverland({ locations: [unique] }, null)[0]?.deviceId).toBe('B7E1-22');
  });

  // Fields and types as owntracksDictionaryFromLocation makes them: tst counts from 2001, the topic has two parts.
  const owntracks = {
    _type: 'location',
    lat: 35.222,
    lon: -101.8313,
    tst: 789_015_845,
    acc: 5,
    batt: 89,
    topic: 'owntracks/truck-7',
  };

  it('reads a message of its OwnTracks mode, whose time counts from 2001', () => {
    expect(parseOverland(owntracks, null)).toMatchObject([
      {
        deviceId: 'truck-7',
        fixAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
        lat: 35.222,
        lng: -101.8313,
        speedKph: null,
        accuracyM: 5,
        batteryPercent: 89,
      },
    ]);
  });

  it('takes the device of the address for a message of its OwnTracks mode without a topic', () => {
    expect(parseOverland({ ...owntracks, topic: undefined }, 'truck-9')[0]?.deviceId).toBe('truck-9');
  });

  it('reads the newest point that the app adds when it is behind', () => {
    const current = feature({ timestamp: '2026-01-02T06:00:00Z' });
    const fixes = parseOverland({ locations: [feature()], current }, null);
    expect(fixes.map(({ fixAtMs }) => fixAtMs)).toEqual([
      Date.UTC(2026, 0, 2, 3, 4, 5),
      Date.UTC(2026, 0, 2, 6),
    ]);
  });

  it('accepts trips, visits and app events, and reads no fix from them', () => {
    const fixes = parseOverland(
      {
        locations: [
          feature({ action: 'visit' }),
          { type: 'Feature', properties: { timestamp: '2026-01-02T03:04:05Z', action: 'will_terminate' } },
          feature({ type: 'trip', mode: 'car' }),
        ],
        trip: { mode: 'car' },
      },
      null,
    );
    expect(fixes).toEqual([]);
  });

  it.each([
    ['current', { current: {} }],
    ['current text', { current: 'unavailable' }],
    ['location', { locations: [feature(), {}] }],
    ['location without a device', { locations: [feature(), { geometry: null, properties: {} }] }],
  ])('an empty %s is heard of the device of the others, and costs no position', (_, given) => {
    expect(parseOverland({ locations: [feature()], ...given }, null)).toMatchObject([
      { deviceId: 'truck-7', lat: 35.222 },
      { deviceId: 'truck-7', lat: null, lng: null },
    ]);
  });

  it('acknowledges an empty batch of which nothing names the device', () => {
    for (const body of [{ locations: [], current: {} }, { locations: [null] }, { locations: {} }])
      expect(parseOverland(body, null)).toEqual([]);
  });

  it('reads the positions of a batch in which one location has none', () => {
    const reports = parseOverland({ locations: [feature(), feature({}, [0, 0])] }, null);
    expect(reports.map(({ lat }) => lat)).toEqual([35.222, null]);
  });

  const refused: [body: unknown, reason: string][] = [
    [{}, 'locations: expected an array, got nothing'],
    [{ locations: { a: 1 } }, 'locations: expected an array, got an object'],
    [{ locations: [feature(), 7] }, 'locations[1]: expected an object, got 7'],
    [
      { locations: [feature(), feature({ device_id: '' })] },
      'locations[1].properties.device_id: expected the device id',
    ],
    [{ locations: [feature({}, [1])] }, 'locations[0].geometry.coordinates'],
    [
      { locations: [feature(), feature({}, [-101, 95])] },
      'locations[1].geometry.coordinates[1]: expected a latitude from -90 to 90 degrees, got 95',
    ],
    [
      { locations: [feature({ timestamp: 'noon' })] },
      'locations[0].properties.timestamp: expected a time as Unix seconds',
    ],
    [
      { locations: [{ ...feature(), geometry: { type: 'LineString', coordinates: [] } }] },
      'locations[0].geometry.type: expected "Point", got "LineString"',
    ],
  ];

  it.each(refused.map(([body, reason]) => ({ reason, body })))('refuses: $reason', ({ body, reason }) => {
    expect(() => parseOverland(body, null)).toThrow(IngestInputError);
    expect(() => parseOverland(body, null)).toThrow(reason);
  });

  it('refuses a batch that is too large, with a code of its own', () => {
    const locations = new Array(MAX_BATCH_LOCATIONS + 1).fill(feature());
    expect(() => parseOverland({ locations }, null)).toThrow(
      expect.objectContaining({ code: 'batch_too_large' }) as Error,
    );
  });
});
