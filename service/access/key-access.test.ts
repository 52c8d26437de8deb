import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from './key-access';
import { keyAccessSchema } from './key-access';

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
