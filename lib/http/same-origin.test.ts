import { describe, expect, it } from 'vitest';
import { changesState, isFromElsewhere, isSameOrigin } from './same-origin';

const judge = (headers: Record<string, string>, { trustedProxies = 0, isTls = false } = {}) =>
  isSameOrigin(new Headers({ host: 'fleet.example', ...headers }), { trustedProxies, isTls });

describe('isSameOrigin', () => {
  it('takes the word of the browser', () => {
    expect(judge({ 'sec-fetch-site': 'same-origin' })).toBe(true);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(judge({ 'sec-fetch-site': site, origin: 'https://fleet.example' }), site).toBe(false);
  });

  it('holds Origin against the host where the browser says no more', () => {
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

  it('takes a request that says neither for nobody’s', () => {
    expect(judge({})).toBe(false);
  });

  it('knows the host by which a trusted proxy was asked, and no other', () => {
    const headers = { origin: 'https://public.example', 'x-forwarded-host': 'public.example' };
    expect(judge(headers, { trustedProxies: 1, isTls: true })).toBe(true);
    expect(judge(headers, { trustedProxies: 0, isTls: true })).toBe(false);
  });
});

describe('isFromElsewhere', () => {
  const judgeDemo = (headers: Record<string, string>) =>
    isFromElsewhere(new Headers({ host: '127.0.0.1:3000', ...headers }), { trustedProxies: 0, isTls: false });

  it('tells a page of another site or port by what browsers say', () => {
    for (const site of ['cross-site', 'same-site'])
      expect(judgeDemo({ 'sec-fetch-site': site }), site).toBe(true);
    for (const origin of ['http://evil.example', 'http://127.0.0.1:8080', 'null'])
      expect(judgeDemo({ origin }), origin).toBe(true);
  });

  it('takes our own pages, what a person types, and programs', () => {
    for (const site of ['same-origin', 'none'])
      expect(judgeDemo({ 'sec-fetch-site': site }), site).toBe(false);
    expect(judgeDemo({ origin: 'http://127.0.0.1:3000' })).toBe(false);
    expect(judgeDemo({})).toBe(false);
  });
});

it('reading changes nothing, everything else may', () => {
  expect(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(changesState)).toEqual([
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
  ]);
});
