import { describe, expect, it } from 'vitest';
import { isForwardedTls, toClientAddress } from './client-address';

describe('toClientAddress', () => {
  it('believes the socket alone where no proxy is trusted', () => {
    expect(toClientAddress('203.0.113.7', '198.51.100.1', 0)).toBe('203.0.113.7');
    expect(toClientAddress(undefined, '198.51.100.1', 0)).toBe('unknown');
  });

  it('believes as many entries of X-Forwarded-For as there are proxies, from its end', () => {
    const forged = '10.0.0.1, 10.0.0.2, 198.51.100.1';
    expect(toClientAddress('127.0.0.1', forged, 1)).toBe('198.51.100.1');
    expect(toClientAddress('127.0.0.1', `${forged}, 192.0.2.8`, 2)).toBe('198.51.100.1');
  });

  it('takes the first entry of a chain that is shorter than it should be', () => {
    expect(toClientAddress('127.0.0.1', undefined, 1)).toBe('127.0.0.1');
    expect(toClientAddress('127.0.0.1', '198.51.100.1', 3)).toBe('198.51.100.1');
  });

  it('takes all addresses of one IPv6 subscriber for one client, and a mapped IPv4 address for what it is', () => {
    expect(toClientAddress('2001:DB8:0:1:aaaa:bbbb:cccc:dddd', undefined, 0)).toBe('2001:db8:0:1::/64');
    expect(toClientAddress('2001:db8:0:1::2', undefined, 0)).toBe('2001:db8:0:1::/64');
    expect(toClientAddress('::1', undefined, 0)).toBe('0:0:0:0::/64');
    expect(toClientAddress('::ffff:203.0.113.7', undefined, 0)).toBe('203.0.113.7');
  });
});

describe('isForwardedTls', () => {
  it('believes the nearest proxy, and only a trusted one', () => {
    expect(isForwardedTls('https', 1)).toBe(true);
    expect(isForwardedTls('https, http', 1)).toBe(false);
    expect(isForwardedTls('https', 0)).toBe(false);
    expect(isForwardedTls(undefined, 1)).toBe(false);
  });
});
