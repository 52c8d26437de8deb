import { defineConfig } from '@playwright/test';
import { providePorts } from './e2e/support/ports';
import { TARGET_NAMES, sessionFile } from './e2e/support/target';
import { readLaunchOptions } from './scripts/testing/browser';

/** E2E_TARGET=embedded, =external or =alone runs one of the three projects; all by default. */
const wanted = process.env.E2E_TARGET;
const targets = TARGET_NAMES.filter((name) => !wanted || name === wanted);
const ports = await providePorts();

/** These start programs of their own, and need to run once only. */
const ALONE =
  /(access|account|sign-in|users|api-keys|devices|settings|several-accounts|provider-faults|provider-faults-live|database-faults|browser-faults|server-clock|traces|lifecycle|packaged|operation)\.spec\.ts$/;
/** What can differ when the tracking service is a program of its own; all else is tested with it embedded. */
const EXTERNAL = /(smoke|secrets|unit)\.spec\.ts$/;
const isAloneWanted = !wanted || wanted === 'alone';

export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  retries: 0,
  // What takes minutes runs before a release, by npm run test:long.
  ...(process.env.LINEHAUL_TEST_LONG === '1' ? {} : { grepInvert: /@long/ }),
  forbidOnly: true,
  // Also of what starts a server before the tests of a file, on a machine that does much else.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'line',
  use: {
    viewport: { width: 1600, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    screenshot: 'only-on-failure',
    launchOptions: readLaunchOptions(),
  },
  projects: [
    ...targets.map((name) => ({
      name,
      ...(name === 'embedded' ? { testIgnore: ALONE } : { testMatch: EXTERNAL }),
      use: { baseURL: `http://127.0.0.1:${ports[name]}`, storageState: sessionFile(name) },
    })),
    ...(isAloneWanted ? [{ name: 'alone', testMatch: ALONE }] : []),
  ],
  webServer: targets.map((name) => ({
    name,
    command: `exec node --import tsx e2e/support/serve.ts ${name}`,
    wait: { stdout: /target is ready/ },
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 30_000 },
  })),
});
