import { describe, expect, it } from 'vitest';
import { changesState, isSameOrigin } from './same-origin';

const judge = (headers: Record<string, string>, trustedProxies = 0) =>
  isSameOrigin(new Headers({ host: 'fleet.example', ...headers }), trustedProxies);

describe('isSameOrigin', () => {
  it('takes the word of the browser', () => {
    expect(judge({ 'sec-fetch-site': 'same-origin' })).toBe(true);
    for (const site of ['cross-site', 'same-site', 'none'])
      expect(judge({ 'sec-fetch-site': site, origin: 'https://fleet.example' }), site).toBe(false);
  });

  it('holds Origin against the host where the browser says no more', () => {
    expect(judge({ origin: 'http://fleet.example' })).toBe(true);
    for (const origin of [
      'http://evil.example',
      'http://fleet.example.evil.example',
      'null',
      'fleet.example',
    ])
      expect(judge({ origin }), origin).toBe(false);
  });

  it('takes a request that says neither for nobody’s', () => {
    expect(judge({})).toBe(false);
  });

  it('knows the host by which a trusted proxy was asked, and no other', () => {
    const headers = { origin: 'https://public.example', 'x-forwarded-host': 'public.example' };
    expect(judge(headers, 1)).toBe(true);
    expect(judge(headers, 0)).toBe(false);
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
