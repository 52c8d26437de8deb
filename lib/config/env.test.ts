import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEnv, toCarrierPauseMs } from './env';
import { DEFAULT_FLAG_SETTINGS } from './flags';
import { faultsOf } from '@/testing/config/faults-of';

const PROVIDER = {
  TRACKING_BASE_URL: 'https://provider.example/v1/',
  TRACKING_API_KEY: 'planted-key-77',
  TRACKING_PROVIDER_TOKEN: 'planted-token-88',
};

describe('parseEnv', () => {
  it('refuses a base URL that ends in a bare "?" or "#", which would cut off the path', () => {
    for (const TRACKING_BASE_URL of ['https://provider.example/any/path?', 'https://provider.example/#'])
      expect(faultsOf({ ...PROVIDER, TRACKING_BASE_URL }).join()).toMatch(
        /must not hold a query or a fragment/,
      );
  });

  it('refuses a base URL with invisible characters, or with a user name that a parsed URL does not show', () => {
    for (const [TRACKING_BASE_URL, fault] of [
      ['https://provider.example/a\u0000', /invisible/],
      ['https://provider.example/a\u202eb', /invisible/],
      ['https://pro\u00advider.example', /invisible/],
      ['https://@provider.example', /a user name/],
      ['https://:@provider.example/a', /a user name/],
    ] as const)
      expect(faultsOf({ ...PROVIDER, TRACKING_BASE_URL }).join(), TRACKING_BASE_URL).toMatch(fault);
    expect(parseEnv({ ...PROVIDER, TRACKING_BASE_URL: 'https://provider.example/@a' })).toBeTruthy();
  });

  it('allows private addresses by the setting and by its former name', () => {
    expect(parseEnv({ PRIVATE_ADDRESSES: 'allow' }).isPrivateAllowed).toBe(true);
    expect(parseEnv({ ALERT_WEBHOOK_PRIVATE: 'allow' }).isPrivateAllowed).toBe(true);
  });

  it('takes the address of a routing engine, and repeats none that is wrong', () => {
    const { routing } = parseEnv({ ROUTING_URL: 'http://127.0.0.1:5000/route/v1/driving' });
    expect(routing?.name).toBe('osrm');
    const wrong = { ROUTING_URL: 'http://user:planted@127.0.0.1:5000/planted' };
    expect(() => parseEnv(wrong)).toThrow(/ROUTING_URL must end with (?!.*planted)/);
  });

  it('runs the embedded service with the defaults where nothing is set', () => {
    expect(parseEnv({})).toEqual({
      source: 'demo',
      isSourceFixed: false,
      ownCarrier: null,
      providers: [],
      mail: null,
      isPrivateAllowed: false,
      routing: null,
      homeUsdot: null,
      pollIntervalMs: null,
      recordIntervalMs: 30_000,
      history: { folder: join(process.cwd(), '.data', 'history'), keptDays: 400, memoryMb: 512 },
      answerLimits: { headersTimeoutMs: 15_000, timeoutMs: 20_000, maxAnswerBytes: 134_217_728 },
      feedSettings: { maxBackoffMs: 120_000, maxRetryAfterMs: 3_600_000, anomalyHoldMs: 60_000 },
      databaseUrl: null,
      databaseReadUrl: null,
      redisUrl: null,
      dataFolder: join(process.cwd(), '.data'),
      accounts: 'demo',
      authSecret: null,
      publicUrl: null,
      isSecondFactorRequired: false,
      oidc: null,
      tiles: {
        url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
        isDefault: true,
        attribution:
          '&copy; <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a> contributors',
      },
      streets: null,
      demoUnits: 400,
      demoHistoryHours: 48,
      activeWindowMs: 1_800_000,
      fixRetentionDays: 30,
      carrierLookupsPerMin: 60,
      flagSettings: DEFAULT_FLAG_SETTINGS,
      fixedFlags: [],
      logLevel: 'warn',
      port: 3000,
      hostname: '127.0.0.1',
      metricsToken: null,
      trustedProxies: 0,
      clientRequestsPerS: 250,
      pageCallsPerS: 20,
      retired: [],
    });
  });

  it('opens the demo without accounts only where no other machine can reach it', () => {
    for (const HOSTNAME of ['', '127.0.0.1', '127.0.0.53', '::1', 'localhost'])
      expect(parseEnv({ HOSTNAME }).accounts, HOSTNAME).toBe('demo');
    for (const HOSTNAME of ['0.0.0.0', '::', '192.0.2.1', 'fleet.example', 'localhost.example'])
      expect(parseEnv({ HOSTNAME }).accounts, HOSTNAME).toBe('required');
    expect(parseEnv(PROVIDER).accounts).toBe('required');
    expect(parseEnv({ ACCOUNTS: 'required' }).accounts).toBe('required');
    expect(parseEnv({ TRUSTED_PROXIES: '1' }).accounts).toBe('required');
    expect(parseEnv({ PUBLIC_URL: 'https://fleet.example' }).accounts).toBe('required');
    expect(faultsOf({ ACCOUNTS: 'none' })).toEqual(['ACCOUNTS must be "required" or unset, not "none".']);
  });

  it('reduces the public address to scheme, host and port', () => {
    expect(parseEnv({ PUBLIC_URL: 'https://fleet.example:8443/' }).publicUrl).toBe(
      'https://fleet.example:8443',
    );
    for (const PUBLIC_URL of [
      'fleet.example',
      'ftp://fleet.example',
      'https://fleet.example/map',
      'https://a:b@fleet.example',
    ])
      expect(faultsOf({ PUBLIC_URL }), PUBLIC_URL).toHaveLength(1);
  });

  it('shares fleets only where the database and the secret are shared too, and shows no Redis password', () => {
    const REDIS_URL = 'redis://:planted-password@redis.example:6379';
    expect(faultsOf({ REDIS_URL })).toEqual([
      'DATABASE_URL must be set with REDIS_URL, to the same value on each server.',
      'AUTH_SECRET must be set with REDIS_URL, to the same value on each server.',
    ]);
    const [fault, ...others] = faultsOf({
      REDIS_URL: REDIS_URL.replace('redis:', 'https:'),
      DATABASE_URL: 'postgres://linehaul@database.example/linehaul',
      AUTH_SECRET: 'x'.repeat(40),
    });
    expect(fault).toMatch(/^REDIS_URL must be a Redis URL/);
    expect(fault).not.toContain('planted');
    expect(others).toEqual([]);
  });

  it('reads a complete mail server: its sender, and where links lead', () => {
    const given = {
      SMTP_URL: 'smtp://user:planted-password@mail.example:587',
      MAIL_FROM: 'Linehaul <fleet@example.com>',
      PUBLIC_URL: 'https://fleet.example',
    };
    expect(parseEnv(given).mail).toEqual({ url: given.SMTP_URL, from: given.MAIL_FROM });
    expect(parseEnv({}).mail).toBeNull();
    expect(faultsOf({ SMTP_URL: given.SMTP_URL })).toEqual([
      'MAIL_FROM must be set with SMTP_URL.',
      'PUBLIC_URL must be set with SMTP_URL.',
    ]);
    expect(faultsOf({ MAIL_FROM: given.MAIL_FROM })).toHaveLength(1);
    for (const MAIL_FROM of ['no-address', 'a@b.test\nBcc: c@d.test', 'a@b.test, c@d.test'])
      expect(faultsOf({ ...given, MAIL_FROM }), MAIL_FROM).toHaveLength(1);
    const [fault = ''] = faultsOf({ ...given, SMTP_URL: 'http://user:planted-password@mail.example' });
    expect(fault).toContain('must be an SMTP URL');
    expect(fault).not.toContain('planted-password');
  });

  it('treats a variable that is set to nothing as unset', () => {
    expect(parseEnv({ TRACKING_BASE_URL: '', PORT: ' ', MAP_TILES_URL: '' })).toEqual(parseEnv({}));
  });

  it('reads a provider with both secrets, and its URL without a trailing slash', () => {
    expect(parseEnv(PROVIDER).providers).toEqual([
      {
        baseUrl: 'https://provider.example/v1',
        apiKey: 'planted-key-77',
        providerToken: 'planted-token-88',
        usdot: null,
      },
    ]);
  });

  it('looks carriers up at the configured rate, and at most once a second at a provider', () => {
    const pauseOf = (more: Record<string, string>) => toCarrierPauseMs(parseEnv({ ...PROVIDER, ...more }));
    expect(pauseOf({})).toBe(1000);
    expect(pauseOf({ CARRIER_LOOKUPS_PER_MIN: '6' })).toBe(10_000);
    expect(pauseOf({ CARRIER_LOOKUPS_PER_MIN: '0' })).toBeNull();
    expect(faultsOf({ CARRIER_LOOKUPS_PER_MIN: '61' })).toHaveLength(1);
  });

  it('reads every other setting', () => {
    const env = parseEnv({
      TRACKING_USDOT: '0009000001',
      POLL_INTERVAL_MS: '5000',
      TRACKING_TIMEOUT_MS: '3000',
      LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB: '8',
      LINEHAUL_TEST_TRACKING_MAX_BACKOFF_MS: '4000',
      LINEHAUL_TEST_TRACKING_MAX_RETRY_AFTER_MS: '9000',
      LINEHAUL_TEST_TRACKING_DOUBT_HOLD_MS: '0',
      DATABASE_URL: 'postgres://linehaul:pw@127.0.0.1:5432/linehaul',
      MAP_TILES_URL: 'https://tiles.example/{z}/{x}/{y}.png',
      MAP_TILES_ATTRIBUTION: '© Tiles',
      DEMO_UNITS: '25',
      ACTIVE_WINDOW_MIN: '10',
      FIX_RETENTION_DAYS: '7',
      PORT: '8080',
      HOSTNAME: '0.0.0.0',
      METRICS_TOKEN: 'planted-metrics-token',
      TRUSTED_PROXIES: '2',
      CLIENT_REQUESTS_PER_S: '50',
    });
    expect(env).toMatchObject({
      homeUsdot: '9000001',
      pollIntervalMs: 5000,
      answerLimits: { headersTimeoutMs: 2250, timeoutMs: 3000, maxAnswerBytes: 8_388_608 },
      feedSettings: { maxBackoffMs: 4000, maxRetryAfterMs: 9000, anomalyHoldMs: 0 },
      databaseUrl: 'postgres://linehaul:pw@127.0.0.1:5432/linehaul',
      tiles: { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '© Tiles' },
      demoUnits: 25,
      activeWindowMs: 600_000,
      fixRetentionDays: 7,
      port: 8080,
      hostname: '0.0.0.0',
      metricsToken: 'planted-metrics-token',
      trustedProxies: 2,
      clientRequestsPerS: 50,
    });
  });

  it('names the settings of earlier versions that are set, and ignores them', () => {
    const source = {
      IDENTITY_CHANGE_HOURS: '2',
      MAX_URL_CHARACTERS: 'any',
      TRACKING_MAX_BACKOFF_MS: '5s',
      TZ: 'UTC',
    };
    const { retired, ...env } = parseEnv({ ...source, DEMO_HISTORY_HOURS: '' });
    expect([...retired].sort()).toEqual([
      'IDENTITY_CHANGE_HOURS',
      'MAX_URL_CHARACTERS',
      'TRACKING_MAX_BACKOFF_MS',
    ]);
    expect({ ...env, retired: [] }).toEqual(parseEnv({}));
  });

  it('shows no tiles where none are wanted, and no default attribution on other tiles', () => {
    expect(parseEnv({ MAP_TILES_URL: 'none' }).tiles).toBeNull();
    const both = parseEnv({
      MAP_PMTILES: '/maps/us.pmtiles',
      MAP_TILES_URL: 'https://a.example/{z}/{x}/{y}',
    });
    expect([both.streets, both.tiles]).toEqual(['/maps/us.pmtiles', null]);
    expect(parseEnv({ MAP_TILES_URL: '/tiles/{z}/{x}/{y}.png' }).tiles?.attribution).toBe('');
  });

  it('refuses a copy of no database', () => {
    expect(faultsOf({ DATABASE_READ_URL: 'postgres://linehaul:planted@copy.example/linehaul' })).toEqual([
      'DATABASE_URL must be set with DATABASE_READ_URL, which is a copy of it.',
    ]);
  });

  it('lists every fault in one message', () => {
    const source = {
      TRACKING_BASE_URL: 'ftp://provider.example',
      TRACKING_USDOT: 'mine',
      POLL_INTERVAL_MS: '5s',
      LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB: '0',
      DATABASE_URL: 'mysql://u:planted-password@h/d',
      MAP_TILES_URL: 'https://tiles.example/',
      PORT: '70000',
    };
    expect(faultsOf(source)).toEqual([
      'TRACKING_API_KEY must be set with TRACKING_BASE_URL.',
      'TRACKING_PROVIDER_TOKEN must be set with TRACKING_BASE_URL.',
      'TRACKING_BASE_URL must be an http or https URL.',
      'TRACKING_USDOT must be a USDOT number, 1 to 8 digits.',
      'LINEHAUL_TEST_TRACKING_MAX_ANSWER_MB must be a whole number from 1 to 400, not "0".',
      'POLL_INTERVAL_MS must be a whole number from 1000 to 3600000, not "5s".',
      'DATABASE_URL must be a PostgreSQL URL (postgres://user:password@host:port/database).',
      'MAP_TILES_URL must be "none" or a URL with {z}, {x} and {y}.',
      'PORT must be a whole number from 1 to 65535, not "70000".',
    ]);
    expect(() => parseEnv(source)).toThrow(/^The configuration cannot be used:\n {2}- TRACKING_API_KEY/);
  });

  it('reports incomplete credentials as a fault', () => {
    expect(faultsOf({ ...PROVIDER, TRACKING_PROVIDER_TOKEN: '' })).toEqual([
      'TRACKING_PROVIDER_TOKEN must be set with TRACKING_BASE_URL.',
    ]);
    expect(faultsOf({ TRACKING_API_KEY: 'planted-key-77' })).toEqual([
      'TRACKING_API_KEY is set without TRACKING_BASE_URL: set both or neither.',
    ]);
  });

  it('refuses a base URL that holds credentials, a query or a fragment', () => {
    for (const url of [
      'https://u:planted@provider.example',
      'https://provider.example/?k=planted',
      'https://p.example/#planted',
    ]) {
      const [fault, ...others] = faultsOf({ ...PROVIDER, TRACKING_BASE_URL: url });
      expect(fault, url).toMatch(/^TRACKING_BASE_URL must not hold a/);
      expect(fault).not.toContain('planted');
      expect(others).toEqual([]);
    }
  });

  it('reads null for requests per second as no limit', () => {
    expect(parseEnv({ CLIENT_REQUESTS_PER_S: '0' }).clientRequestsPerS).toBeNull();
  });

  it('refuses a metrics token that can be guessed', () => {
    expect(faultsOf({ METRICS_TOKEN: 'planted-short' })).toEqual([
      'METRICS_TOKEN must have at least 16 characters.',
    ]);
  });

  it('repeats no secret in a fault', () => {
    const faults = faultsOf({
      TRACKING_BASE_URL: 'nonsense-planted-url',
      TRACKING_API_KEY: 'planted key',
      TRACKING_PROVIDER_TOKEN: 'planted\ttoken',
      DATABASE_URL: 'planted-database',
    });
    expect(faults).toHaveLength(4);
    expect(faults.join('\n')).not.toContain('planted');
  });
});
