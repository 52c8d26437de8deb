import { expect, test } from 'vitest';
import { needsOwnDatabase, readAddress, toUrl } from './environment';

const env = (variables: Record<string, string>): NodeJS.ProcessEnv => ({ NODE_ENV: 'test', ...variables });

test('listens on port 3000 of this machine only by default', () => {
  expect(readAddress(env({}))).toEqual({ host: '127.0.0.1', port: 3000 });
  expect(readAddress(env({ PORT: ' ', HOSTNAME: '' }))).toEqual({ host: '127.0.0.1', port: 3000 });
  expect(readAddress(env({ PORT: '8080', HOSTNAME: '0.0.0.0' }))).toEqual({ host: '0.0.0.0', port: 8080 });
});

test("does not use the machine's name, which containers export, as an address to listen on", () => {
  expect(readAddress(env({ HOSTNAME: '3f2a' }), '3f2a').host).toBe('127.0.0.1');
  expect(readAddress(env({ HOSTNAME: '3f2a' }), 'other').host).toBe('3f2a');
});

test('refuses an invalid port', () => {
  for (const port of ['0', '65536', '-1', '3000x', '1e3']) {
    expect(() => readAddress(env({ PORT: port }))).toThrow(`not "${port}"`);
  }
});

test('prints an address that a browser on this machine can open', () => {
  expect(toUrl({ host: '127.0.0.1', port: 3000 })).toBe('http://127.0.0.1:3000');
  expect(toUrl({ host: '0.0.0.0', port: 80 })).toBe('http://127.0.0.1:80');
  expect(toUrl({ host: '::', port: 3000 })).toBe('http://[::1]:3000');
});

test('runs its own database if none is configured, also with a provider', () => {
  expect(needsOwnDatabase(env({}))).toBe(true);
  expect(needsOwnDatabase(env({ DATABASE_URL: '', TRACKING_BASE_URL: ' ' }))).toBe(true);
  expect(needsOwnDatabase(env({ DATABASE_URL: 'postgres://db/x' }))).toBe(false);
  expect(needsOwnDatabase(env({ TRACKING_BASE_URL: 'https://provider.example' }))).toBe(true);
});
