import { describe, expect, it } from 'vitest';
import { createClientAddresses, toClientAddress } from './http-server';

describe('toClientAddress', () => {
  it('trusts only the socket if no proxy is trusted', () => {
    expect(toClientAddress('203.0.113.7', '198.51.100.1', 0)).toBe('203.0.113.7');
    expect(toClientAddress(undefined, '198.51.100.1', 0)).toBeNull();
  });

  it('trusts as many entries of X-Forwarded-For, from its end, as there are proxies', () => {
    const forged = '10.0.0.1, 10.0.0.2, 198.51.100.1';
    expect(toClientAddress('127.0.0.1', forged, 1)).toBe('198.51.100.1');
    expect(toClientAddress('127.0.0.1', `${forged}, 192.0.2.8`, 2)).toBe('198.51.100.1');
  });

  it('takes the first entry of a chain that is shorter than it should be', () => {
    expect(toClientAddress('127.0.0.1', undefined, 1)).toBe('127.0.0.1');
    expect(toClientAddress('127.0.0.1', '198.51.100.1', 3)).toBe('198.51.100.1');
  });

  it('returns a mapped IPv4 address as IPv4, and IPv6 in lower case', () => {
    expect(toClientAddress('::ffff:203.0.113.7', undefined, 0)).toBe('203.0.113.7');
    expect(toClientAddress('2001:DB8::1', undefined, 0)).toBe('2001:db8::1');
  });
});

describe('createClientAddresses', () => {
  it('returns the addresses of noted requests only', () => {
    const clients = createClientAddresses(0);
    const request = new Request('http://service.test/');
    clients.note(request, { headers: {}, socket: { remoteAddress: '203.0.113.7' } as never });
    expect(clients.read(request)).toBe('203.0.113.7');
    expect(clients.read(new Request('http://service.test/'))).toBeNull();
  });
});
