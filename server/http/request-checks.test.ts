import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { UNKNOWN_CONTEXT } from '@/server/runtime';
import { createRequestChecks, toReadableTarget, type CheckSettings } from './request-checks';

const setUp = (settings: Partial<CheckSettings> = {}) => {
  const checks = createRequestChecks(
    { trustedProxies: 0, clientRequestsPerS: null, publicUrl: null, ...settings },
    { monotonicMs: () => 0 },
  );
  const admit =
    (url: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
    () => {
      const isTls = settings.trustedProxies === 1 && headers['x-forwarded-proto'] === 'https';
      checks.check({ url, method, headers }, { ...UNKNOWN_CONTEXT, isTls });
    };
  const take = (url: string) => admit(url)();
  return { checks, admit, take };
};

describe('the checks of a request', () => {
  it('refuse an address over the length limit, also of a device', () => {
    const { admit } = setUp();
    expect(admit(`/api/x?since=${'1'.repeat(4083)}`)).not.toThrow();
    expect(admit(`/api/x?since=${'1'.repeat(4084)}`)).toThrow('Address too long');
    expect(admit(`/tracking/${'x'.repeat(4096)}`)).toThrow('Address too long');
  });

  it('refuse a method that the address of a load does not take', () => {
    const { admit } = setUp();
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
      expect(admit('/api/v1/loads/8841', { method }), method).not.toThrow();
    for (const method of ['POST', 'PATCH', 'QUERY'])
      expect(admit('/api/v1/loads/8841?x', { method }), method).toThrow('Method not allowed');
  });

  it('refuse a change that no page of ours requested', () => {
    const { admit } = setUp();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(admit('/api/x', { method, headers: { 'sec-fetch-site': 'cross-site' } }), method).toThrow(
        'Cross-origin request',
      );
      expect(admit('/api/x', { method, headers: { 'sec-fetch-site': 'same-origin' } }), method).not.toThrow();
    }
    expect(admit('/api/x', { headers: { 'sec-fetch-site': 'cross-site' } })).not.toThrow();
    // A device has no cookie that another site's page could make a browser send.
    const report = { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } };
    expect(admit('/tracking/ingest/osmand', report)).not.toThrow();
    for (const path of ['/trackingx', '/%74racking/ingest/osmand', '/status', '/_next/x'])
      expect(admit(path, report), path).toThrow('Cross-origin request');
  });

  it('compare Origin with the scheme that browsers use: PUBLIC_URL, or that of a trusted proxy', () => {
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

  it('count every request against the limit of its client, whatever it requests', () => {
    for (const url of [
      '/api/x',
      '/',
      '*',
      '/_next/x',
      '/basemap/x',
      '/tracking/docs',
      '/tracking/api/carrier',
    ]) {
      const { take } = setUp({ clientRequestsPerS: 0.1 });
      take(url);
      expect(() => take(url), url).toThrow(
        expect.objectContaining({ code: 'too-many-requests', retryAfterS: 10 }),
      );
    }
  });

  it("do not count a device's reports, and count requests that only look like one", () => {
    const { take } = setUp({ clientRequestsPerS: 1 });
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

  it('identify the client by its socket and trusted proxies, and a local one by the absence of a proxy', () => {
    const toContext = (trustedProxies: number, remoteAddress: string, headers: Record<string, string>) =>
      setUp({ trustedProxies }).checks.toContext({
        httpVersion: '1.1',
        url: '/x',
        headers: { host: '127.0.0.1:3000', ...headers },
        socket: { remoteAddress },
      } as unknown as IncomingMessage);
    expect(toContext(1, '127.0.0.1', {})).toMatchObject({
      address: '127.0.0.1',
      isLocal: true,
      isTls: false,
      target: '/x',
    });
    expect(toContext(1, '192.0.2.1', {})).toMatchObject({ address: '192.0.2.1', isLocal: false });
    const proxied = { 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' };
    expect(toContext(1, '127.0.0.1', proxied)).toMatchObject({
      address: '198.51.100.7',
      isLocal: false,
      isTls: true,
    });
    // Without a trusted proxy, any client can send its headers.
    expect(toContext(0, '192.0.2.1', proxied)).toMatchObject({ address: '192.0.2.1', isTls: false });
  });
});

it('returns a target that can be decoded unchanged, with every query', () => {
  for (const target of ['/', '/fleets/9000001?q=50%', '/api/live/device%3APT%2F1', '/caf%C3%A9?a=%E0%A4%A?b'])
    expect(toReadableTarget(target)).toBe(target);
});

it('replaces every percent sign of a path that cannot be decoded, so that none of its escapes decodes', () => {
  expect(toReadableTarget('/fleets/%E0%A4%A?q=%41?b')).toBe(
    '/fleets/%EF%BF%BDE0%EF%BF%BDA4%EF%BF%BDA?q=%41?b',
  );
  expect(decodeURIComponent(decodeURIComponent(toReadableTarget('/%zz/%41')))).toBe('/\uFFFDzz/\uFFFD41');
});
