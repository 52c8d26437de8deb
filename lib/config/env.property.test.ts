import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EnvError, parseEnv } from './env';
import { parseFlagSettings } from './flags';
import { parseProviders } from './providers';
import { parseUrl } from './values';
import { expectInTime } from '@/testing/processor-time';

const SECRET = 'a-secret-that-no-message-may-quote';
const NAMES = [
  'TRACKING_BASE_URL',
  'TRACKING_API_KEY',
  'TRACKING_2_BASE_URL',
  'TRACKING_2_USDOT',
  'POLL_INTERVAL_MS',
  'TRACKING_TIMEOUT_MS',
  'DEMO_UNITS',
  'FLAG_THRESHOLDS',
  'PUBLIC_URL',
  'SMTP_URL',
  'MAP_TILES_URL',
  'ACCOUNTS',
  'ROUTING_URL',
];
const textArb = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.json(),
  fc.webUrl(),
  fc.integer().map(String),
  fc.constantFrom('', ' ', '-1', '1e999', '{"badVin":{"enterMs":-1}}'),
);
/** Incomplete accounts, whose faults are listed without the given values. */
const secretsArb = fc.record(
  {
    TRACKING_API_KEY: fc.constant(SECRET),
    TRACKING_3_PROVIDER_TOKEN: fc.constant(SECRET),
    AUTH_SECRET: fc.constant(SECRET.slice(0, 9)),
    SMTP_URL: fc.constant(`https://user:${SECRET}@x`),
    ROUTING_URL: fc.constant(`http://user:${SECRET}@x`),
    TRACKING_2_BASE_URL: fc.constant(`ftp://user:${SECRET}@x`),
  },
  { requiredKeys: [] },
);
const sourceArb = fc
  .tuple(fc.dictionary(fc.constantFrom(...NAMES), textArb), secretsArb)
  .map(([given, secrets]) => ({ ...given, ...secrets }));

it('reads any environment as settings within bounds, or lists its faults in one error without a secret', () => {
  fc.assert(
    fc.property(sourceArb, (source) => {
      expectInTime(() => parseProviders(source));
      const { flagSettings } = expectInTime(() => parseFlagSettings(source));
      for (const { enterMs, leaveMs } of Object.values(flagSettings.flags))
        expect(Number.isFinite(enterMs + leaveMs) && enterMs >= 0 && leaveMs > 0).toBe(true);
      try {
        const { pollIntervalMs, demoUnits } = expectInTime(() => parseEnv(source));
        expect(pollIntervalMs !== 0 && Number.isInteger(demoUnits) && demoUnits >= 0).toBe(true);
      } catch (error) {
        if (!(error instanceof EnvError)) throw error;
        expect(error.message).not.toContain(SECRET.slice(0, 9));
      }
    }),
  );
});

it('parseUrl returns null, or a URL that parses to itself', () => {
  fc.assert(
    fc.property(textArb, (text) => {
      const url = parseUrl(text);
      if (url !== null) expect(parseUrl(url.href)?.href).toBe(url.href);
    }),
  );
});
