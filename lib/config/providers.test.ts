import { describe, expect, it } from 'vitest';
import { parseEnv } from './env';
import { toProviderName } from './providers';
import { faultsOf } from '@/testing/config/faults-of';

const FIRST = {
  TRACKING_BASE_URL: 'https://one.example/v1/',
  TRACKING_API_KEY: 'planted-key-1',
  TRACKING_PROVIDER_TOKEN: 'planted-token-1',
  TRACKING_USDOT: '9100001',
};
const SECOND = {
  TRACKING_2_BASE_URL: 'https://two.example',
  TRACKING_2_API_KEY: 'planted-key-2',
  TRACKING_2_PROVIDER_TOKEN: 'planted-token-2',
  TRACKING_2_USDOT: '0009100002',
};

it('a fleet is named after the host of its account, or what stands for it', () => {
  const { source, providers } = parseEnv({ ...FIRST, ...SECOND });
  const nameOf = (usdot: string) => toProviderName({ source, providers }, usdot);
  expect(['9100001', '9100002'].map(nameOf)).toEqual(['one.example', 'two.example']);
  expect(toProviderName({ source: 'demo', providers: [] }, '9000001')).toBe('Demo');
  expect(toProviderName({ source: 'own', providers: [] }, '9000001')).toBe('Own devices');
});

describe('parseEnv with several accounts', () => {
  it('reads them in the order of their numbers, whatever numbers are missing', () => {
    const twelfth = Object.fromEntries(
      Object.entries(SECOND).map(([name, value]) => [name.replace('_2_', '_12_'), `${value}`]),
    );
    const { providers, homeUsdot } = parseEnv({
      ...twelfth,
      ...SECOND,
      TRACKING_12_USDOT: '9100012',
      ...FIRST,
      TRACKING_3_API_KEY: ' ',
    });
    expect(homeUsdot).toBe('9100001');
    expect(providers.map(({ usdot, baseUrl }) => `${usdot} ${baseUrl}`)).toEqual([
      '9100001 https://one.example/v1',
      '9100002 https://two.example',
      '9100012 https://two.example',
    ]);
    expect(providers[1]).toMatchObject({ apiKey: 'planted-key-2', providerToken: 'planted-token-2' });
  });

  it('requires all four settings of each', () => {
    const half = { TRACKING_BASE_URL: 'https://one.example', TRACKING_3_API_KEY: 'planted-key-3' };
    const needs = 'must be set: each of several accounts has all four of its settings.';
    expect(faultsOf(half)).toEqual([
      `TRACKING_API_KEY ${needs}`,
      `TRACKING_PROVIDER_TOKEN ${needs}`,
      `TRACKING_USDOT ${needs}`,
      `TRACKING_3_BASE_URL ${needs}`,
      `TRACKING_3_PROVIDER_TOKEN ${needs}`,
      `TRACKING_3_USDOT ${needs}`,
    ]);
    expect(faultsOf(SECOND)).toHaveLength(4);
  });

  it('refuses a fleet that two accounts have', () => {
    expect(faultsOf({ ...FIRST, ...SECOND, TRACKING_2_USDOT: '009100001' })).toEqual([
      'TRACKING_2_USDOT is 9100001 as TRACKING_USDOT is: a fleet has one account.',
    ]);
  });

  it('refuses a number or a name that no account has, as a typing error', () => {
    const slips = ['TRACKING_1_USDOT', 'TRACKING_02_USDOT', 'TRACKING_33_USDOT', 'TRACKING_2_BASEURL'];
    const faults = faultsOf({ ...FIRST, ...Object.fromEntries(slips.map((name) => [name, '9100009'])) });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(slips);
    expect(faults[0]).toContain('numbered from 2 to 32');
  });

  it('lists the faults of every account at once, and repeats no secret, wherever it was put', () => {
    const faults = faultsOf({
      ...FIRST,
      TRACKING_USDOT: 'planted-key-1',
      TRACKING_2_BASE_URL: 'https://two.example/?key=planted-key-2',
      TRACKING_2_API_KEY: 'planted key-2',
      TRACKING_2_PROVIDER_TOKEN: 'planted\ttoken-2',
      TRACKING_2_USDOT: 'planted-token-2',
      PORT: '0',
    });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([
      'TRACKING_USDOT',
      'TRACKING_2_BASE_URL',
      'TRACKING_2_API_KEY',
      'TRACKING_2_PROVIDER_TOKEN',
      'TRACKING_2_USDOT',
      'PORT',
    ]);
    expect(faults.join('')).not.toContain('planted');
  });
});
