/**
 * The server's clock is set while screens are open, and then set right again. lib/feeds/feed/feed-clock.test.ts
 * covers the feed's own rules, browser-faults.spec.ts a browser's clock.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { startFaultyProvider, type FaultyProvider } from '@/testing/tracking/faulty-provider';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { startApplication, type Application } from './support/application';
import { list, notices, pill, watchLoads } from './support/fleet-page';
import { readLiveUnits } from './support/live-fleet';
import { LONG } from './support/long';
import { HOUR_MS } from '@/lib/base/time';

const USDOT = '9100001';
const UNITS = createScriptedUnits(12);
/** Time for polls once a second on a busy machine. */
const SOON = { timeout: 30_000 };
/** "-3 s" with either minus sign, but not a number of a plate or a device. */
const NEGATIVE_AGE = /(?<![\w-])[-−]\d+ (s|min|h|d)\b/;

test.setTimeout(150_000);

let provider: FaultyProvider;
let application: Application;
let clockFile: string;

const setClockAhead = (ms: number): void => writeFileSync(clockFile, String(ms));

test.beforeAll(async ({}, testInfo) => {
  clockFile = testInfo.outputPath('clock');
  setClockAhead(0);
  provider = await startFaultyProvider();
  provider.give(USDOT, UNITS);
  application = await startApplication(
    {
      ...provider.variables,
      // How long a notice stays after its cause is gone.
      LINEHAUL_TEST_TRACKING_DOUBT_HOLD_MS: '2000',
      NODE_OPTIONS: `--require "${resolve('e2e/support/set-clock.cjs')}"`,
      SET_CLOCK_FILE: clockFile,
    },
    testInfo.outputPath('application.log'),
  );
});
test.beforeEach(({ context }) => application.signIn(context));
test.afterAll(async () => {
  await application?.stop();
  await provider?.close();
});

const countPolls = (): number =>
  provider.received.filter(({ resource, subject }) => resource === 'units' && subject === USDOT).length;

const counter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Filter by status' }).getByRole('button', { name });
const drawn = (page: Page) => page.getByRole('region', { name: 'Map' }).locator('.leaflet-container');
const panel = (page: Page) => page.getByRole('complementary');

const expectWell = async (page: Page): Promise<void> => {
  await expect(pill(page)).toContainText(/^Live · \d s/, SOON);
  await expect(notices(page)).toBeHidden(SOON);
  // How long a flag stays after its cause is gone.
  for (const name of ['Late', 'Silent']) await expect(counter(page, name)).toContainText(/^0/, SOON);
  await expect(list(page).getByText(/^(\d+ (min|h|d)|future)$/)).toHaveCount(0, SOON);
};

/** Sets the clock, looks at all that depends on it, and sets it right again. */
const shiftClock = async (page: Page, ms: number): Promise<void> => {
  const before = countPolls();
  setClockAhead(ms);
  try {
    await expect(notices(page)).toContainText(
      'The clocks of this server and of the tracking provider are 1 h apart.',
      SOON,
    );
    await expect(pill(page)).toContainText(/^Unusual · \d s ago/);
    // Neither the screen nor the feed waits for a time that an earlier clock named.
    await expect
      .poll(async () => {
        expect(await page.locator('body').innerText()).not.toMatch(NEGATIVE_AGE);
        return countPolls() - before;
      }, SOON)
      .toBeGreaterThan(8);
    await expect(pill(page)).toContainText(/^Unusual · \d s ago/);
    await expect(drawn(page)).toHaveAttribute('data-drawn-units', String(UNITS.length));
    await expect(list(page).getByRole('option')).toHaveCount(UNITS.length);
    const units = await readLiveUnits(page.request, USDOT, application.url);
    expect(units.filter(({ hasPosition }) => hasPosition)).toHaveLength(UNITS.length);
  } finally {
    setClockAhead(0);
  }
  await expectWell(page);
  await expect(drawn(page)).toHaveAttribute('data-drawn-units', String(UNITS.length));
};

test(
  "loses no unit while the server's clock is an hour ahead or back, and says that it is in doubt",
  LONG,
  async ({ page }) => {
    await page.goto(`${application.url}/fleets/${USDOT}?unit=${UNITS[1]!.vin}`);
    await expectWell(page);
    await expect(panel(page)).toContainText(UNITS[1]!.vin);
    const loads = watchLoads(page);
    await test.step('ahead', () => shiftClock(page, HOUR_MS));
    await test.step('back', () => shiftClock(page, -HOUR_MS));
    expect(loads()).toBe(0);
  },
);
