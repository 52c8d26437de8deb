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

it('changes nothing where .env.example is copied as it is', () => {
  const copied = [...readFileSync(EXAMPLE, 'utf8').matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)];
  expect(copied.length).toBeGreaterThan(40);
  expect(parseEnv(Object.fromEntries(copied.map(([, name, value]) => [name!, value])))).toEqual(parseEnv({}));
});
