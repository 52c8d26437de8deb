import { describe, expect, it } from 'vitest';
import { isLoopback, toOwntracksLink, toTraccarLink } from './connect-phone';

const SETTINGS = { origin: 'https://fleet.example', token: 'lh_ingest_abc-_', deviceId: 'truck 41&07é' };

describe('toTraccarLink', () => {
  it('leads to the ingest, with the settings of the app as parameters', () => {
    const url = new URL(toTraccarLink(SETTINGS));
    // What the app reports to is what stands before the parameters.
    expect(url.origin + url.pathname).toBe('https://fleet.example/tracking/ingest/lh_ingest_abc-_/traccar');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      id: 'truck 41&07é',
      accuracy: 'high',
      interval: '60',
      distance: '75',
      heartbeat: '300',
      buffer: 'true',
    });
  });
});

describe('toOwntracksLink', () => {
  it('holds a configuration of the app, in base64', () => {
    const url = new URL(toOwntracksLink(SETTINGS));
    expect([url.protocol, url.host, url.pathname]).toEqual(['owntracks:', '', '/config']);
    const inline = Buffer.from(url.searchParams.get('inline')!, 'base64').toString('utf8');
    expect(JSON.parse(inline)).toMatchObject({
      _type: 'configuration',
      mode: 3,
      url: 'https://fleet.example/tracking/ingest/owntracks',
      auth: true,
      username: 'truck 41&07é',
      password: 'lh_ingest_abc-_',
      deviceId: 'truck 41&07é',
    });
  });
});

describe('isLoopback', () => {
  it.each([
    ['http://127.0.0.1:3000', true],
    ['http://localhost:3000', true],
    ['http://[::1]:3000', true],
    ['https://fleet.example', false],
    ['http://127.example', false],
    ['nonsense', false],
  ])('takes %s for %s', (origin, expected) => {
    expect(isLoopback(origin)).toBe(expected);
  });
});
