import { expect, it } from 'vitest';
import { toOpenApi, type RouteModule } from '@/testing/app/openapi';

const modules = import.meta.glob<RouteModule>('./**/route.ts', { eager: true });

it('docs/openapi.json is that of the routes (vitest -u writes it)', async () => {
  expect(Object.keys(modules).length).toBeGreaterThan(50);
  await expect(toOpenApi(modules)).toMatchFileSnapshot('../docs/openapi.json');
});
