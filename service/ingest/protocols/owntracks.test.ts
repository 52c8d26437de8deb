import { describe, expect, it } from 'vitest';
import { IngestInputError } from '../fields';
import { parseOwntracks, type OwntracksSender } from './owntracks';

const anonymous: OwntracksSender = { device: null, user: null, basicUser: null };
const message = {
  _type: 'location',
  lat: 35.222,
  lon: -101.8313,
  tst: 1_767_323_045,
  vel: 101,
  cog: 181,
  alt: 1099,
  vac: 3,
  acc: 12,
  batt: 64,
  tid: 'T7',
  conn: 'm',
  t: 'u',
};

describe('parseOwntracks', () => {
  it('reads a location, with the speed in kilometers an hour', () => {
    expect(parseOwntracks(message, { ...anonymous, device: 'truck-7' })).toEqual([
      {
        deviceId: 'truck-7',
        fixAtMs: 1_767_323_045_000,
        lat: 35.222,
        lng: -101.8313,
        speedKph: 101,
        headingDeg: 181,
        altitudeM: 1099,
        accuracyM: 12,
        batteryPercent: 64,
      },
    ]);
  });

  it('takes the first device that is given: X-Limit-D, topic, X-Limit-U, Basic user, tid', () => {
    const withTopic = { ...message, topic: 'owntracks/anna/truck-8' };
    const all = { device: 'by-device', user: 'by-user', basicUser: 'by-basic' };
    const device = (body: unknown, sender: OwntracksSender) => parseOwntracks(body, sender)[0]?.deviceId;
    expect(device(withTopic, all)).toBe('by-device');
    expect(device(withTopic, { ...all, device: null })).toBe('truck-8');
    expect(device(message, { ...all, device: null })).toBe('by-user');
    expect(device(message, { ...all, device: null, user: ' ' })).toBe('by-basic');
    expect(device(message, anonymous)).toBe('T7');
  });

  it('ignores the placeholders that the app sends for an unset user and device', () => {
    const body = { ...message, topic: 'owntracks/user/device' };
    const fixes = parseOwntracks(body, { device: 'device', user: 'user', basicUser: 'truck-7' });
    expect(fixes[0]?.deviceId).toBe('truck-7');
  });

  it('gives the whole topic as another id of the device', () => {
    const body = { ...message, topic: 'owntracks/anna/truck-8' };
    expect(parseOwntracks(body, { ...anonymous, device: 'phone' })).toMatchObject([
      { deviceId: 'phone', otherDeviceIds: ['owntracks/anna/truck-8'] },
    ]);
  });

  it('reads no position from 0,0', () => {
    expect(parseOwntracks({ ...message, lat: 0, lon: 0 }, anonymous)).toMatchObject([
      { lat: null, lng: null },
    ]);
  });

  it('takes -1 as unknown, and an altitude without accuracy as none', () => {
    const fixes = parseOwntracks({ ...message, vel: -1, cog: -1, vac: -1, batt: -1 }, anonymous);
    expect(fixes[0]).toMatchObject({
      speedKph: null,
      headingDeg: null,
      altitudeM: null,
      batteryPercent: null,
    });
  });

  it.each(['lwt', 'transition', 'waypoint', 'waypoints', 'card', 'status', 'steps', 'dump', 'cmd'])(
    'accepts a message of type %s and reads no fix from it',
    (type) => {
      expect(parseOwntracks({ _type: type, lat: 1, lon: 1, tst: 1 }, anonymous)).toEqual([]);
    },
  );

  it('refuses an encrypted message, so that the phone shows an error', () => {
    const encrypted = () => parseOwntracks({ _type: 'encrypted', data: 'c2VjcmV0' }, anonymous);
    expect(encrypted).toThrow(IngestInputError);
    expect(encrypted).toThrow('expected a message in the clear');
  });

  const refused: [body: unknown, reason: string][] = [
    [[], 'body: expected an object, got []'],
    [{ lat: 1 }, '_type: expected a string, got nothing'],
    [{ ...message, tid: '' }, 'X-Limit-D, topic, X-Limit-U, Basic user or tid: expected the device id'],
    [{ ...message, lat: 'north' }, 'lat: expected a latitude from -90 to 90 degrees, got "north"'],
    [{ ...message, lat: undefined }, 'lat: expected a latitude from -90 to 90 degrees, got nothing'],
    [{ ...message, tst: undefined }, 'tst: expected a time as Unix seconds'],
  ];

  it.each(refused.map(([body, reason]) => ({ reason, body })))('refuses: $reason', ({ body, reason }) => {
    expect(() => parseOwntracks(body, anonymous)).toThrow(reason);
  });
});
