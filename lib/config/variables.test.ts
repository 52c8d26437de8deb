import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseEnv } from './env';
import { TEST_PREFIX, variablesSchema } from './variables';

const EXAMPLE = '.env.example';
const SETTINGS = Object.keys(variablesSchema.shape).filter((name) => !name.startsWith(TEST_PREFIX));
const IS_OF_TESTS = new RegExp(`^${TEST_PREFIX}`);

it.each([EXAMPLE, 'docs/configuration.md'])('%s lists every setting', (path) => {
  const listed = new Set(readFileSync(path, 'utf8').match(/\b[A-Z]+(?:_[A-Z]+)*\b/g));
  const names = SETTINGS;
  expect(names).toContain('POLL_INTERVAL_MS');
  expect(names.filter((name) => !listed.has(name))).toEqual([]);
  expect([...listed].filter((name) => IS_OF_TESTS.test(name))).toEqual(['LINEHAUL_TEST_LONG']);
});

/** These replace a provider. */
const OWN_TRUCKS = ['FLEET_SOURCE', 'CARRIER_NAME', 'CARRIER_USDOT', 'CARRIER_MC'];
const ACCOUNT = ['BASE_URL', 'API_KEY', 'PROVIDER_TOKEN', 'USDOT'].map((field) => `TRACKING_${field}`);

/** The settings of .env.example, which are all comments. */
const readExample = (): [name: string, value: string][] =>
  [...readFileSync(EXAMPLE, 'utf8').matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name, value]) => [
    name!,
    // Docker Compose, systemd and Node.js remove the quotes.
    value!.replace(/^'(.*)'$/, '$1'),
  ]);

it('sets nothing where .env.example is copied as it is: an empty setting would hide one of a unit or container', () => {
  const active = readFileSync(EXAMPLE, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
  expect(active).toEqual([]);
});

/** What an operator may have to read: each further setting asks for the reason why no constant will do. */
const MOST_SETTINGS = 45;

it('has no more settings than an operator reads, and each is one that is read', () => {
  const text = readFileSync(EXAMPLE, 'utf8').split('# --- Tests')[0]!;
  const names = [...text.matchAll(/^#([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name!);
  const counted = names.filter((name) => !/_FILE$|^TRACKING_2_/.test(name));
  expect(counted.length).toBeLessThanOrEqual(MOST_SETTINGS);
  const readElsewhere = [...OWN_TRUCKS, ...ACCOUNT, 'FLAG_THRESHOLDS'];
  expect(counted.toSorted()).toEqual([...SETTINGS, ...readElsewhere].toSorted());
});

it('shows the default of each setting that has one, and an example of each other', () => {
  const shown = new Map(readExample());
  expect(shown.size).toBeGreaterThan(50);
  const defaults = Object.entries(variablesSchema.parse({})).filter(
    ([name, value]) => SETTINGS.includes(name) && String(value ?? '') !== '',
  );
  expect(defaults.length).toBeGreaterThan(10);
  for (const [name, value] of defaults) expect(shown.get(name), name).toBe(String(value));
});

it('has valid examples for own trucks', () => {
  const own = readExample().filter(([name]) => OWN_TRUCKS.includes(name));
  expect(parseEnv(Object.fromEntries(own)).ownCarrier).toEqual({
    companyName: 'Prairie Freight',
    usdot: '1234567',
    mcNumber: 'MC-123456',
  });
});

it('has examples that are valid, but for the secrets of this server: one that many copy is none', () => {
  const withoutFiles = readExample().filter(
    ([name]) => !name.endsWith('_FILE') && !OWN_TRUCKS.includes(name),
  );
  const parseWith = (secrets: Record<string, string>) =>
    parseEnv({
      ...Object.fromEntries(withoutFiles),
      TRACKING_2_API_KEY: 'k',
      TRACKING_2_PROVIDER_TOKEN: 't',
      ...secrets,
    });
  const account = { TRACKING_API_KEY: 'k', TRACKING_PROVIDER_TOKEN: 't' };
  const own = { AUTH_SECRET: 'a'.repeat(32), METRICS_TOKEN: 'm'.repeat(16) };
  expect(parseWith({ ...account, ...own })).toMatchObject({
    homeUsdot: '1234567',
    isSecondFactorRequired: true,
  });
  for (const [name, value] of Object.entries(own)) {
    const { [name]: example } = Object.fromEntries(withoutFiles);
    expect(() => parseWith({ ...account, ...own, [name]: example! }), value).toThrow(name);
  }
});
