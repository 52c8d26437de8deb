import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SecretFileError, loadSecretFiles } from './environment';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linehaul-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const load = (env: Record<string, string>) => {
  loadSecretFiles(env);
  return env;
};

test('reads secrets from the named files, and leaves every other setting unchanged', () => {
  const key = write('key', 'planted-key\n');
  const token = write('token', 'planted-token');
  const env = { TRACKING_API_KEY_FILE: key, TRACKING_PROVIDER_TOKEN_FILE: token, PORT: '3000' };
  expect(load(env)).toEqual({
    TRACKING_API_KEY: 'planted-key',
    TRACKING_PROVIDER_TOKEN: 'planted-token',
    PORT: '3000',
  });
  expect(load({ DATABASE_URL_FILE: '', DATABASE_URL: 'postgres://db/x' })).toEqual({
    DATABASE_URL: 'postgres://db/x',
  });
});

test.each(['AUTH_SECRET', 'OIDC_CLIENT_SECRET', 'SMTP_URL', 'METRICS_TOKEN', 'FLAG_THRESHOLDS'])(
  'takes %s from a file',
  (name) => {
    expect(load({ [`${name}_FILE`]: write('secret', 'planted-secret\n') })).toEqual({
      [name]: 'planted-secret',
    });
    expect(() => load({ [`${name}_FILE`]: write('secret', 'planted'), [name]: 'other' })).toThrow(
      'are both set',
    );
  },
);

test('puts the password of a file into the URL of the database, whatever characters it has', () => {
  const password = write('password', 'a/b@c:d#e%20 f\n');
  const { DATABASE_URL = '' } = load({
    DATABASE_URL: 'postgres://linehaul@database:5432/linehaul',
    DATABASE_PASSWORD_FILE: password,
  });
  const { username, host, pathname, password: written } = new URL(DATABASE_URL);
  expect([username, host, pathname]).toEqual(['linehaul', 'database:5432', '/linehaul']);
  expect(decodeURIComponent(written)).toBe('a/b@c:d#e%20 f');
});

test('refuses a file that is missing or empty, a secret given twice, and a password without a URL', () => {
  const key = write('key', 'planted-key');
  expect(() => load({ TRACKING_API_KEY_FILE: join(folder, 'absent') })).toThrow(
    /TRACKING_API_KEY_FILE names .*absent, which cannot be read \(ENOENT\)/,
  );
  expect(() => load({ TRACKING_API_KEY_FILE: write('empty', '\n') })).toThrow('is empty');
  expect(() => load({ TRACKING_API_KEY_FILE: key, TRACKING_API_KEY: 'other' })).toThrow('are both set');
  expect(() => load({ DATABASE_PASSWORD_FILE: key })).toThrow(SecretFileError);
});

test('reads every setting of an account from files, including numbered ones', () => {
  const url = write('url', 'https://provider.example\n');
  const key = write('key-2', 'planted-key-2\n');
  const usdot = write('usdot-2', '9100002\n');
  expect(
    load({ TRACKING_BASE_URL_FILE: url, TRACKING_2_API_KEY_FILE: key, TRACKING_12_USDOT_FILE: usdot }),
  ).toEqual({
    TRACKING_BASE_URL: 'https://provider.example',
    TRACKING_2_API_KEY: 'planted-key-2',
    TRACKING_12_USDOT: '9100002',
  });
});

test('lists every fault, and repeats no secret that was given in place of a path', () => {
  const env = {
    TRACKING_API_KEY_FILE: 'planted-key',
    TRACKING_2_PROVIDER_TOKEN_FILE: write('blank', ' \n'),
    TRACKING_3_API_KEY_FILE: write('twice', 'planted-twice'),
    TRACKING_3_API_KEY: 'planted-other',
  };
  let said = '';
  try {
    load(env);
  } catch (error) {
    said = (error as Error).message;
  }
  expect(said.split('\n')).toEqual([
    'TRACKING_API_KEY_FILE names a file, which cannot be read (ENOENT).',
    expect.stringMatching(/^TRACKING_2_PROVIDER_TOKEN_FILE names \/.*blank, which is empty\.$/),
    'TRACKING_3_API_KEY and TRACKING_3_API_KEY_FILE are both set: give one of them.',
  ]);
  expect(said).not.toContain('planted');
});
