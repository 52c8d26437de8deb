import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseEnv } from './env';
import { variablesSchema } from './variables';

const EXAMPLE = '.env.example';

it.each([EXAMPLE, 'docs/configuration.md'])('%s lists every setting', (path) => {
  const listed = new Set(readFileSync(path, 'utf8').match(/\b[A-Z]+(?:_[A-Z]+)*\b/g));
  const names = Object.keys(variablesSchema.shape);
  expect(names).toContain('POLL_INTERVAL_MS');
  expect(names.filter((name) => !listed.has(name))).toEqual([]);
});

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

it('shows the default of each setting that has one, and an example of each other', () => {
  const shown = new Map(readExample());
  expect(shown.size).toBeGreaterThan(50);
  const defaults = Object.entries(variablesSchema.parse({})).filter(
    ([, value]) => String(value ?? '') !== '',
  );
  expect(defaults.length).toBeGreaterThan(15);
  for (const [name, value] of defaults) expect(shown.get(name), name).toBe(String(value));
});

/** These replace a provider. */
const OWN_TRUCKS = ['FLEET_SOURCE', 'CARRIER_NAME', 'CARRIER_USDOT', 'CARRIER_MC'];

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
