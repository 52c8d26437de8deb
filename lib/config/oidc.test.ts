import { describe, expect, it } from 'vitest';
import { type EnvError, parseEnv } from './env';

const WHOLE = {
  OIDC_ISSUER: 'https://login.example.com/tenant',
  OIDC_CLIENT_ID: 'linehaul',
  OIDC_CLIENT_SECRET: 'a secret of the provider',
  OIDC_EMAIL_DOMAINS: 'Example.com, trucks.example.org',
  PUBLIC_URL: 'https://fleet.example.com',
};

const faultsOf = (source: Record<string, string>): readonly string[] => {
  try {
    parseEnv(source);
    return [];
  } catch (error) {
    return (error as EnvError).faults;
  }
};

describe('the settings of an OpenID Connect provider', () => {
  it('are read as a whole, and refuse users without an account by default', () => {
    expect(parseEnv(WHOLE).oidc).toEqual({
      issuer: 'https://login.example.com/tenant',
      clientId: 'linehaul',
      clientSecret: 'a secret of the provider',
      emailDomains: ['example.com', 'trucks.example.org'],
      createsUsers: false,
    });
    expect(parseEnv({ ...WHOLE, OIDC_NEW_USERS: 'dispatcher' }).oidc?.createsUsers).toBe(true);
    expect(parseEnv({}).oidc).toBeNull();
  });

  it('are refused if incomplete, with every missing part', () => {
    expect(faultsOf({ OIDC_ISSUER: WHOLE.OIDC_ISSUER })).toEqual([
      'OIDC_CLIENT_ID must be set with OIDC_ISSUER.',
      'OIDC_CLIENT_SECRET must be set with OIDC_ISSUER.',
      'OIDC_EMAIL_DOMAINS must be set with OIDC_ISSUER.',
      'PUBLIC_URL must be set with OIDC_ISSUER.',
    ]);
    expect(faultsOf({ OIDC_CLIENT_SECRET: WHOLE.OIDC_CLIENT_SECRET })).toEqual([
      'OIDC_CLIENT_SECRET is set without OIDC_ISSUER: set all or none.',
    ]);
  });

  it("are refused if the provider's URL is plain HTTP or a domain is malformed", () => {
    for (const issuer of ['http://login.example.com', 'https://a:b@login.example.com', 'login.example.com'])
      expect(faultsOf({ ...WHOLE, OIDC_ISSUER: issuer }), issuer).toHaveLength(1);
    expect(faultsOf({ ...WHOLE, OIDC_ISSUER: 'http://127.0.0.1:4000' })).toEqual([]);
    for (const domains of ['*', '@example.com', 'com', 'example.com;evil.test'])
      expect(faultsOf({ ...WHOLE, OIDC_EMAIL_DOMAINS: domains }), domains).toHaveLength(1);
  });
});

it('a second factor is required of managers only, or of no user', () => {
  expect(parseEnv({ REQUIRE_SECOND_FACTOR: 'managers' }).isSecondFactorRequired).toBe(true);
  expect(faultsOf({ REQUIRE_SECOND_FACTOR: 'yes' })).toHaveLength(1);
});
