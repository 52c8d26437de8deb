import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** They use the process's one runtime, or replace a module of Node.js: each needs a process of its own. */
const ISOLATED = ['app/**/*.test.ts', '**/*-timing.test.ts'];

const resolve = {
  alias: {
    '@': root.replace(/\/$/, ''),
    // The marker throws outside a server bundle; its own empty file is what Next resolves there.
    'server-only': `${root}node_modules/server-only/empty.js`,
  },
};
const testTimeout = 20_000;

export default defineConfig({
  resolve,
  test: {
    // For the run as a whole: the projects take databases of it.
    globalSetup: ['./testing/vitest-postgres.ts'],
    maxWorkers: 2,
    projects: [
      { resolve, test: { name: 'isolated', testTimeout, include: ISOLATED } },
      {
        resolve,
        test: {
          name: 'shared',
          testTimeout,
          include: ['{app,bench,components,lib,scripts,server,service,testing}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...ISOLATED],
          setupFiles: ['./testing/property-seed.ts'],
          // Each worker loads a module once for all of its files: half of the processor time.
          isolate: false,
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['{app,components,lib,scripts,server,service}/**/*.{ts,tsx}'],
      exclude: ['**/*.test.{ts,tsx}', '**/*.d.ts'],
      reporter: ['text-summary'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
  },
});
