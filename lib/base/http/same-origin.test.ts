import { describe, expect, it } from 'vitest';
import { changesState, isCrossOrigin, isSameOrigin } from './same-origin';

const judge = (headers: Record<string, string>, { trustedProxies = 0, isTls = false } = {}) =>
  isSameOrigin(new Headers({ host: 'fleet.example', ...headers }), { trustedProxies, isTls });

describe('isSameOrigin', () => {
  it('trusts Sec-Fetch-Site', () => {
    expect(judge({ 'sec-fetch-site': 'same-origin' })).toBe(true);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(judge({ 'sec-fetch-site': site, origin: 'https://fleet.example' }), site).toBe(false);
  });

  it('compares Origin with the host if Sec-Fetch-Site is absent', () => {
    expect(judge({ origin: 'http://fleet.example' })).toBe(true);
    expect(judge({ origin: 'http://fleet.example:80', host: 'Fleet.example' })).toBe(true);
    expect(judge({ origin: 'http://fleet.example:3000', host: 'fleet.example:3000' })).toBe(true);
    for (const origin of [
      'http://evil.example',
      'http://fleet.example.evil.example',
      'null',
      'fleet.example',
    ])
      expect(judge({ origin }), origin).toBe(false);
  });

  it('compares the scheme as well: a page over plain HTTP is not the same site as one over TLS', () => {
    expect(judge({ origin: 'https://fleet.example' }, { isTls: true })).toBe(true);
    expect(judge({ origin: 'https://fleet.example', host: 'fleet.example:443' }, { isTls: true })).toBe(true);
    expect(judge({ origin: 'http://fleet.example' }, { isTls: true })).toBe(false);
    expect(judge({ origin: 'https://fleet.example' })).toBe(false);
    expect(judge({ origin: 'http://fleet.example:443' }, { isTls: true })).toBe(false);
    expect(judge({ origin: 'http://fleet.example', host: 'not a host' })).toBe(false);
  });

  it('treats a request with neither header as not of the same origin', () => {
    expect(judge({})).toBe(false);
  });

  it('knows only the host that a trusted proxy forwards', () => {
    const headers = { origin: 'https://public.example', 'x-forwarded-host': 'public.example' };
    expect(judge(headers, { trustedProxies: 1, isTls: true })).toBe(true);
    expect(judge(headers, { trustedProxies: 0, isTls: true })).toBe(false);
  });
});

describe('isFromElsewhere', () => {
  const judgeDemo = (headers: Record<string, string>) =>
    isCrossOrigin(new Headers({ host: '127.0.0.1:3000', ...headers }), { trustedProxies: 0, isTls: false });

  it("recognizes a page of another site or port by the browser's headers", () => {
    for (const site of ['cross-site', 'same-site'])
      expect(judgeDemo({ 'sec-fetch-site': site }), site).toBe(true);
    for (const origin of ['http://evil.example', 'http://127.0.0.1:8080', 'null'])
      expect(judgeDemo({ origin }), origin).toBe(true);
  });

  it('accepts our own pages, typed addresses, and programs', () => {
    for (const site of ['same-origin', 'none'])
      expect(judgeDemo({ 'sec-fetch-site': site }), site).toBe(false);
    expect(judgeDemo({ origin: 'http://127.0.0.1:3000' })).toBe(false);
    expect(judgeDemo({})).toBe(false);
  });
});

it('treats GET, HEAD and OPTIONS as reads, and every other method as a change', () => {
  expect(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(changesState)).toEqual([
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
  ]);
});
