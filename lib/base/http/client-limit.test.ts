import { expect, test, describe, it } from 'vitest';
import { createClientLimit, isForwardedTls, toClientKey } from './client-limit';

const setUp = (requestsPerS: number, maxClients?: number) => {
  const clock = { nowMs: 1_000_000 };
  const limit = createClientLimit({ requestsPerS, clock: { monotonicMs: () => clock.nowMs }, maxClients });
  const takeMany = (client: string, times: number) =>
    Array.from({ length: times }, () => limit.take(client)).filter((waitS) => waitS === 0).length;
  return { clock, limit, takeMany };
};

test('allows a burst of ten seconds of requests, and then as many as are earned per second', () => {
  const { clock, limit, takeMany } = setUp(5);
  expect(takeMany('a', 60)).toBe(50);
  expect(limit.take('a')).toBe(1);
  clock.nowMs += 2000;
  expect(takeMany('a', 60)).toBe(10);
});

test('gives each client an allowance of its own', () => {
  const { takeMany } = setUp(1);
  expect(takeMany('a', 20)).toBe(10);
  expect(takeMany('b', 20)).toBe(10);
});

test('allows the sustained polls of a thousand browsers behind one address by default', () => {
  const { clock, limit } = setUp(250);
  let waitedS = 0;
  for (let request = 0; request < 60_000; request++) {
    clock.nowMs += 5;
    waitedS += limit.take('office');
  }
  expect(waitedS).toBe(0);
});

test('keeps a bounded number of clients and drops the longest idle first', () => {
  const { limit, takeMany } = setUp(1, 3);
  takeMany('busy', 10);
  for (const client of ['b', 'c', 'busy', 'd', 'e']) limit.take(client);
  expect(limit.size()).toBe(3);
  expect(limit.take('busy')).toBeGreaterThan(0);
});

describe('toClientKey', () => {
  it('counts all addresses of one IPv6 subscriber as one client', () => {
    expect(toClientKey('2001:db8:0:1:aaaa:bbbb:cccc:dddd')).toBe('2001:db8:0:1::/64');
    expect(toClientKey('2001:db8:0:1::2')).toBe('2001:db8:0:1::/64');
    expect(toClientKey('::1')).toBe('0:0:0:0::/64');
    expect(toClientKey('203.0.113.7')).toBe('203.0.113.7');
    expect(toClientKey(null)).toBe('unknown');
  });
});

describe('isForwardedTls', () => {
  it('trusts only the nearest proxy, and only if one is configured', () => {
    expect(isForwardedTls('https', 1)).toBe(true);
    expect(isForwardedTls('https, http', 1)).toBe(false);
    expect(isForwardedTls('https', 0)).toBe(false);
    expect(isForwardedTls(undefined, 1)).toBe(false);
  });
});
