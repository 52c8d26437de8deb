import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ACCESS_TABLE } from '@/e2e/support/access-table';

it('every route and page has a row that says what each viewer gets from it (e2e/access.spec.ts requests them)', () => {
  const answering = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true })
    .map((file) => join('app', String(file)))
    .filter((file) => /\/(route|page)\.tsx?$/.test(file));
  expect(answering.length).toBeGreaterThan(20);
  // server/http.ts mounts the tracking service, without a Next.js route.
  expect(Object.keys(ACCESS_TABLE).sort()).toEqual([...answering, 'server/tracking.ts'].sort());
});
