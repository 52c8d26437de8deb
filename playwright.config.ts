import { defineConfig } from '@playwright/test';
import { readLaunchOptions } from './testing/browser';

/** E2E_TARGET=alone, =external or =embedded runs one of the three projects; all by default. */
const wanted = process.env.E2E_TARGET;

/** These start applications of their own. */
const ALONE =
  /(access|account|sign-in|users|api-keys|devices|settings|several-accounts|provider-faults|provider-faults-live|database-faults|browser-faults|server-clock|traces|lifecycle|packaged|operation)\.spec\.ts$/;
/** What can differ when the tracking service is a program of its own; all else is tested with it embedded. */
const EXTERNAL = /(smoke|secrets|unit)\.spec\.ts$/;

/** In the order in which they start: the longest files first, and last the tests that any free worker can take. */
const projects = [
  { name: 'alone', testMatch: ALONE },
  { name: 'external', testMatch: EXTERNAL },
  // Each test loads its page and leaves nothing but storage and routes, which Playwright resets: a context kept from
  // test to test costs a third less processor time.
  { name: 'embedded', testIgnore: ALONE, fullyParallel: true, use: { reuseContext: true } },
];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
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
  projects: projects.filter(({ name }) => !wanted || name === wanted),
});
