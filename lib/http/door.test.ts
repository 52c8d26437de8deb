import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createDoor } from './door';

const setUp = (settings: Partial<Parameters<typeof createDoor>[0]> = {}) => {
  const door = createDoor(
    { trustedProxies: 0, clientRequestsPerS: null, maxUrlCharacters: 300, publicUrl: null, ...settings },
    () => 0,
  );
  const admit =
    (path: string, init: RequestInit = {}) =>
    () =>
      door.admit(new Request(`http://127.0.0.1:3000${path}`, init));
  return { door, admit };
};

describe('a door', () => {
  it('refuses an address that is longer than it may be, of a device too', () => {
    const { door, admit } = setUp();
    expect(admit(`/api/x?since=${'1'.repeat(287)}`)).not.toThrow();
    expect(admit(`/api/x?since=${'1'.repeat(288)}`)).toThrow('Address too long');
    const request = new Request(`http://127.0.0.1:3000/tracking/${'x'.repeat(300)}`);
    expect(() => door.admitDevice(request)).toThrow('Address too long');
  });

  it('refuses what would change something and was not sent by a page of ours', () => {
    const { admit } = setUp();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(admit('/api/x', { method, headers: { 'sec-fetch-site': 'cross-site' } }), method).toThrow(
        'Cross-origin request',
      );
      expect(admit('/api/x', { method, headers: { 'sec-fetch-site': 'same-origin' } }), method).not.toThrow();
    }
    expect(admit('/api/x', { headers: { 'sec-fetch-site': 'cross-site' } })).not.toThrow();
  });

  it('compares Origin with the scheme that browsers use: PUBLIC_URL, or what a trusted proxy says', () => {
    const post = (origin: string, headers: Record<string, string> = {}) => ({
      method: 'POST',
      headers: { host: 'fleet.example', origin, ...headers },
    });
    const { admit: known } = setUp({ publicUrl: 'https://fleet.example' });
    expect(known('/api/x', post('https://fleet.example'))).not.toThrow();
    expect(known('/api/x', post('http://fleet.example'))).toThrow('Cross-origin request');
    const { admit: proxied } = setUp({ trustedProxies: 1 });
    const tls = { 'x-forwarded-proto': 'https' };
    expect(proxied('/api/x', post('https://fleet.example', tls))).not.toThrow();
    expect(proxied('/api/x', post('http://fleet.example', tls))).toThrow('Cross-origin request');
    const { admit: plain } = setUp();
    expect(plain('/api/x', post('http://fleet.example'))).not.toThrow();
    expect(plain('/api/x', post('https://fleet.example'))).toThrow('Cross-origin request');
  });

  it('counts every request against the limit of its client, whatever it asks for', () => {
    for (const url of [
      '/api/x',
      '/',
      '*',
      '/_next/x',
      '/basemap/x',
      '/tracking/docs',
      '/tracking/api/carrier',
    ]) {
      const { door } = setUp({ clientRequestsPerS: 0.1 });
      door.take({ url, headers: {} });
      expect(() => door.take({ url, headers: {} }), url).toThrow(
        expect.objectContaining({ code: 'too-many-requests', retryAfterS: 10 }),
      );
    }
  });

  it('counts no report of a device, and whatever only looks like one', () => {
    const { door } = setUp({ clientRequestsPerS: 1 });
    const take = (url: string) => door.take({ url, headers: {} });
    for (let time = 0; time < 100; time++)
      for (const url of ['/tracking/ingest/osmand?id=1', '/tracking/ingest/lh_ingest_a-b/traccar'])
        expect(() => take(url), url).not.toThrow();
    for (let time = 0; time < 10; time++) take('/tracking/ingested');
    for (const url of [
      '/tracking/ingest/../../api/x',
      '/tracking/ingest/./x',
      '/tracking/ingest/%2e%2e/%2e%2e/api/x',
      '/tracking/ingest/..%2f../api/x',
      '/tracking/ingest\\..\\x',
      '//tracking/ingest/x',
      '/x?/tracking/ingest/x',
    ])
      expect(() => take(url), url).toThrow('Too many requests');
  });

  it('tells who asks by the socket, and of this machine who comes from it through no proxy', () => {
    const { door } = setUp({ trustedProxies: 1 });
    const ask = (remoteAddress: string, headers: Record<string, string>) => {
      const message = {
        httpVersion: '1.1',
        headers: { host: '127.0.0.1:3000', ...headers },
        socket: { remoteAddress },
      };
      door.mark(message as unknown as IncomingMessage);
      return door.toAsker(new Headers(message.headers));
    };
    expect(ask('127.0.0.1', {})).toMatchObject({ address: '127.0.0.1', isLocal: true, isTls: false });
    expect(ask('192.0.2.1', {})).toMatchObject({ address: '192.0.2.1', isLocal: false });
    const proxied = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' };
    expect(ask('127.0.0.1', proxied)).toMatchObject({ address: '198.51.100.7', isLocal: false, isTls: true });
    // Nobody marked it: it is nobody's, and not of this machine.
    expect(door.toAsker(new Headers())).toMatchObject({ address: 'unknown', isLocal: false });
  });
});
