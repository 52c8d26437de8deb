import { describe, expect, it } from 'vitest';
import { isForwardedTls, toClientKey } from './client-address';

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
