import { defineConfig } from '@playwright/test';
import { readLaunchOptions } from './testing/browser';

/** E2E_TARGET names the project to run; all by default. */
const wanted = process.env.E2E_TARGET;

/** These share the applications of one provider and of two, whose faults they switch. */
const FAULTS =
  /(accessible-faults|browser-faults|operation|provider-faults|provider-faults-live|several-accounts)\.spec\.ts$/;
/** These share the application of a company whose users sign in. */
const COMPANY =
  /(accessible-company|api-keys|customer-mails|detention-mailed|devices|offline|settings|users)\.spec\.ts$/;
/** These start processes of their own. */
const ALONE =
  /(access|sign-in|alerts-database|cluster[a-z-]*|database-faults|driven-load|jobs|newcomer|rules|server-clock|server-killed|street-map|traces|installed|lifecycle|packaged|pgbouncer)\.spec\.ts$/;
/** These run in npm run test:long only, as tests with LONG do: each takes minutes, or repeats what lower tests see. */
const LONG_FILES =
  /(accessible-company|accessible-faults|alerts-database|api-keys|cluster[a-z-]*|customer-mails|database-faults|detention-mailed|devices|driven-load|installed|jobs|newcomer|offline|packaged|pgbouncer|provider-faults-live|rules|server-killed|settings|several-accounts|site-visit|street-map|traces|users)\.spec\.ts$/;
const isLong = process.env.LINEHAUL_TEST_LONG === '1';
const leftOut = isLong ? [] : [LONG_FILES];
/** What can differ when the tracking service is a program of its own; all else is tested with it embedded. */
const EXTERNAL = /(smoke|secrets|unit)\.spec\.ts$/;

/**
 * In the order in which they start: the longest first, and last the files that any free worker can take. One worker for
 * a project means one start of its application. Pages leave nothing but storage and routes, which Playwright resets: a
 * context kept from test to test costs a third less processor time.
 */
const SHARED = { workers: 1, use: { reuseContext: true } };
const projects = [
  // Two starts of its application, because it has most of the tests.
  { name: 'embedded', testIgnore: [FAULTS, COMPANY, ALONE, ...leftOut], ...SHARED, workers: 2 },
  { name: 'faults', testMatch: FAULTS, ...SHARED },
  ...(isLong
    ? [
        { name: 'company', testMatch: COMPANY, ...SHARED },
        { name: 'external', testMatch: EXTERNAL, ...SHARED },
        { name: 'balanced', testMatch: [EXTERNAL, /access\.spec\.ts$/], ...SHARED },
      ]
    : []),
  { name: 'alone', testMatch: ALONE },
];

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  // One more than the two cores for which this is measured: many tests wait for the next poll.
  workers: 3,
  retries: 0,
  testIgnore: leftOut,
  ...(isLong ? {} : { grepInvert: /@long/ }),
  forbidOnly: true,
  // Also of what starts a server before the tests of a file, on a machine that does much else.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'line',
  use: {
    viewport: { width: 1600, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Chicago',
    // offline.spec.ts tests it; elsewhere a test sees what the server answers.
    serviceWorkers: 'block',
    // Dialogs open at once and units stand still between fixes: less to wait for and to draw. map.spec.ts lets them glide.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: readLaunchOptions(),
  },
  projects: projects.filter(({ name }) => !wanted || name === wanted),
});
