import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthSecretError, readOrCreateSecret } from './secret';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'linehaul-secret-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('makes a secret once, readable by its user alone', () => {
  const data = join(folder, 'data');
  const secret = readOrCreateSecret(data);
  expect(secret.length).toBeGreaterThanOrEqual(32);
  expect(readOrCreateSecret(data)).toBe(secret);
  expect(statSync(join(data, 'auth-secret')).mode & 0o777).toBe(0o600);
  expect(readOrCreateSecret(join(folder, 'other'))).not.toBe(secret);
});

it('names the remedy if the secret cannot be stored, and refuses a weak one', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => readOrCreateSecret(join(file, 'data'))).toThrow(/Set AUTH_SECRET/);
  writeFileSync(join(folder, 'auth-secret'), 'short\n');
  expect(() => readOrCreateSecret(folder)).toThrow(AuthSecretError);
});
