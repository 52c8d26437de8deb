import { describe, expect, it } from 'vitest';
import { faultsOf } from '@/testing/config/faults-of';
import { parseEnv, toPollIntervalMs, toRecordIntervalMs } from './env';

const PROVIDER = {
  TRACKING_BASE_URL: 'https://provider.example',
  TRACKING_API_KEY: 'key',
  TRACKING_PROVIDER_TOKEN: 'token',
};
const OWN = {
  FLEET_SOURCE: 'own',
  CARRIER_NAME: ' Blue Mesa ',
  CARRIER_USDOT: '002345678',
  CARRIER_MC: '556677',
};

describe('the source of the fleets', () => {
  it('is the demo, which managers may leave, unless the environment names one', () => {
    expect(parseEnv({})).toMatchObject({ source: 'demo', isSourceFixed: false });
    expect(parseEnv({ FLEET_SOURCE: 'demo' })).toMatchObject({ source: 'demo', isSourceFixed: true });
    for (const source of [PROVIDER, { ...PROVIDER, FLEET_SOURCE: 'provider' }])
      expect(parseEnv(source)).toMatchObject({ source: 'provider', isSourceFixed: true });
  });

  it('is the own carrier with its numbers, for users who sign in', () => {
    expect(parseEnv(OWN)).toMatchObject({
      source: 'own',
      isSourceFixed: true,
      ownCarrier: { companyName: 'Blue Mesa', usdot: '2345678', mcNumber: 'MC-556677' },
      homeUsdot: '2345678',
      accounts: 'required',
    });
    expect(parseEnv({ ...OWN, CARRIER_MC: '' }).ownCarrier?.mcNumber).toBeNull();
  });

  it('is polled more often where it is our own service, unless the environment says how often', () => {
    expect(toPollIntervalMs(parseEnv({}))).toBe(10_000);
    expect(toPollIntervalMs(parseEnv(OWN))).toBe(2000);
    expect(toPollIntervalMs(parseEnv({ ...OWN, POLL_INTERVAL_MS: '7000' }))).toBe(7000);
    expect(toRecordIntervalMs(parseEnv(OWN))).toBe(30_000);
    expect(toRecordIntervalMs(parseEnv({ ...OWN, POLL_INTERVAL_MS: '60000' }))).toBe(60_000);
    expect(toRecordIntervalMs(parseEnv({ ...OWN, RECORD_INTERVAL_MS: 'off' }))).toBeNull();
    // As it was called formerly, which won over an interval.
    const formerly = { ...OWN, RECORDING: 'off', RECORD_INTERVAL_MS: '5000' };
    expect(toRecordIntervalMs(parseEnv(formerly))).toBeNull();
    expect(toRecordIntervalMs(parseEnv({ ...formerly, RECORDING: ' ' }))).toBe(5000);
    expect(() => parseEnv({ ...OWN, RECORD_INTERVAL_MS: 'on' })).toThrow('to 3600000 or "off", not "on"');
  });

  it.each([
    [{ FLEET_SOURCE: 'mine' }, ['FLEET_SOURCE must be one of demo, provider, own.']],
    [{ FLEET_SOURCE: 'provider' }, ['TRACKING_BASE_URL must be set with FLEET_SOURCE=provider.']],
    [
      { ...PROVIDER, FLEET_SOURCE: 'demo' },
      ['TRACKING_BASE_URL is set, so that FLEET_SOURCE cannot be demo.'],
    ],
    [
      { FLEET_SOURCE: 'own' },
      ['CARRIER_NAME must be set with FLEET_SOURCE=own.', 'CARRIER_USDOT must be set with FLEET_SOURCE=own.'],
    ],
    [{ ...OWN, CARRIER_USDOT: 'x' }, ['CARRIER_USDOT: A USDOT number has 1 to 8 digits.']],
    [{ CARRIER_NAME: 'Blue Mesa' }, ['CARRIER_NAME is set without FLEET_SOURCE=own.']],
  ])('refuses %j', (source, faults) => {
    expect(faultsOf(source as Record<string, string>)).toEqual(faults);
  });
});
