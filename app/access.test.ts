import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ACCESS_TABLE, UNKNOWN_CASES } from '@/e2e/support/access-table';

it('every page has a row in the access table, and every line of it is of a route (e2e/access.spec.ts requests them)', () => {
  const pages = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true })
    .map((file) => join('app', String(file)))
    .filter((file) => /\/page\.tsx?$/.test(file));
  expect(pages.length).toBeGreaterThan(20);
  expect(
    Object.keys(ACCESS_TABLE)
      .filter((name) => name.startsWith('app/'))
      .sort(),
  ).toEqual(pages.sort());
  expect(UNKNOWN_CASES).toEqual([]);
});

it('no handler copies its request value, which has the server by its prototype', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const routes = readdirSync(folder, { recursive: true }).filter((file) => /route\.ts$/.test(String(file)));
  expect(routes.length).toBeGreaterThan(50);
  expect(
    routes.filter((file) =>
      /handle: (async )?\(\{[^)]*\.\.\./.test(readFileSync(join(folder, String(file)), 'utf8')),
    ),
  ).toEqual([]);
});
