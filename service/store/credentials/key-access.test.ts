import { describe, expect, it } from 'vitest';
import { ENDPOINTS, keyAccessSchema, isInNetworks, parseNetwork } from './key-access';

const toMessages = (input: unknown) =>
  keyAccessSchema.safeParse(input).error?.issues.map((issue) => issue.message) ?? [];

describe('keyAccessSchema', () => {
  it('limits nothing by default', () => {
    const unlimited = {
      endpoints: null,
      expiresAtMs: null,
      allowedNetworks: null,
      requestsPerMinute: null,
    };
    expect(keyAccessSchema.parse({})).toEqual(unlimited);
    expect(keyAccessSchema.parse({ endpoints: [...ENDPOINTS].reverse() })).toEqual(unlimited);
  });

  it('keeps each endpoint and each network once', () => {
    expect(
      keyAccessSchema.parse({
        endpoints: ['carrier', 'units', 'carrier'],
        allowedNetworks: ['203.0.113.7', '203.0.113.7/32'],
      }),
    ).toMatchObject({ endpoints: ['units', 'carrier'], allowedNetworks: ['203.0.113.7/32'] });
  });

  it.each([
    [{ endpoints: [] }, 'names no endpoint'],
    [{ endpoints: ['everything'] }, 'is not one of units, unit, vin-numbers, carrier, carrier-by-vin'],
    [{ allowedNetworks: [] }, 'names no address'],
    [{ allowedNetworks: ['10.0.0.0/33'] }, 'is no address or block of addresses'],
    [{ allowedNetworks: Array(51).fill('10.0.0.1') }, 'names more than 50 blocks'],
    [{ requestsPerMinute: 0 }, 'is less than 1'],
    [{ requestsPerMinute: 1.5 }, 'is not a whole number'],
    [{ requestsPerMinute: NaN }, 'is not a whole number'],
    [{ expiresAtMs: 1e15 }, 'lies after the year 9999'],
  ])('refuses %j: %s', (input, message) => {
    expect(toMessages(input).join()).toContain(message);
  });
});

describe('parseNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    [' 203.0.113.0/24 ', '203.0.113.0/24'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
  ])('reads %j as %s', (text, network) => {
    expect(parseNetwork(text)).toBe(network);
  });

  it.each([
    '',
    '/',
    '203.0.113',
    '203.0.113.7/33',
    '203.0.113.7/-1',
    '203.0.113.7/',
    '203.0.113.7/8/8',
    '203.0.113.256',
    '010.0.0.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:10.0.0.0/104',
    'example.com',
  ])('reads nothing in %j', (text) => {
    expect(parseNetwork(text)).toBeNull();
  });
});

describe('isInNetworks', () => {
  const networks = ['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32'];

  it.each([
    ['203.0.113.255', true],
    ['203.0.114.0', false],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['2001:db8:ffff::1', true],
    ['2001:db9::1', false],
    ['nonsense', false],
  ])('takes %s for %s', (address, expected) => {
    expect(isInNetworks(address, networks)).toBe(expected);
  });
});
