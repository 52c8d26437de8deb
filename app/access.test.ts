import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ACCESS_TABLE } from '@/e2e/support/access-table';

it('every route and page has a row in the access table (e2e/access.spec.ts requests them)', () => {
  const answering = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true })
    .map((file) => join('app', String(file)))
    .filter((file) => /\/(route|page)\.tsx?$/.test(file));
  expect(answering.length).toBeGreaterThan(20);
  // server/http/http-server.ts mounts the tracking service, without a Next.js route.
  expect(Object.keys(ACCESS_TABLE).sort()).toEqual([...answering, 'server/service/tracking.ts'].sort());
});
