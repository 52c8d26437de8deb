import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

/** They replace a module of Node.js or the log: each needs a process of its own. */
const ISOLATED = [
  'app/api/fleet-source.test.ts',
  'app/attacks/{secrets,timing}.test.ts',
  '**/*-timing.test.ts',
];

/** These run in npm run test:long only: each takes seconds of the processor, and repeats what smaller tests see. */
const LONG_FILES = [
  'app/lifetimes.test.ts',
  '**/{crash,load-crash}.test.ts',
  'server/service/{driven,routed}-load.test.ts',
  'server/several-accounts.test.ts',
  'lib/shares/server/endings.test.ts',
  'service/main.test.ts',
  'bench/truth/truth.test.ts',
  '**/austin.test.ts',
  'scripts/{grafana,kubernetes}.test.ts',
];
const exclude = [...configDefaults.exclude, ...(process.env.LINEHAUL_TEST_LONG === '1' ? [] : LONG_FILES)];

const resolve = {
  alias: {
    '@': root.replace(/\/$/, ''),
    // The marker throws outside a server bundle; its own empty file is what Next resolves there.
    'server-only': `${root}node_modules/server-only/empty.js`,
  },
};
/** It ends a test that hangs. The longest takes 8 s alone, and 20 s while other tests have the processors. */
const testTimeout = 60_000;
/** Of a hook too, which starts databases and servers. */
const hookTimeout = testTimeout;
/** By default a poll waits for one second, which is too short while other tests have the processors. */
const expect = { poll: { timeout: 20_000 } };

export default defineConfig({
  resolve,
  test: {
    // For the run as a whole: the projects take databases of it.
    globalSetup: ['./testing/vitest-postgres.ts'],
    // One more than the two cores for which this is measured: some tests wait for leases, pauses and other processes.
    maxWorkers: 3,
    projects: [
      {
        resolve,
        test: {
          ...{ name: 'isolated', testTimeout, hookTimeout, expect, include: ISOLATED, exclude },
          setupFiles: ['./testing/quick-passwords.ts'],
        },
      },
      {
        resolve,
        test: {
          name: 'shared',
          testTimeout,
          hookTimeout,
          expect,
          include: ['{app,bench,components,lib,scripts,server,service,testing}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...ISOLATED],
          setupFiles: ['./testing/property-seed.ts', './testing/quick-passwords.ts'],
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
