/** Settings of the whole server: when a flag is raised, and whether managers need a second factor. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { DEMO_USDOT, startApplication } from './support/application';
import type { Application } from './support/application';
import { MANAGER } from './support/session';
import { expectLive } from './support/told';

// One server: each test continues from the state that the previous one leaves.
test.describe.configure({ mode: 'serial' });
test.setTimeout(120_000);

let application: Application;

test.beforeAll(async ({}, testInfo) => {
  application = await startApplication(
    {
      ACCOUNTS: 'required',
      // Enough trucks to have one of each kind to check.
      DEMO_UNITS: '200',
      FLAG_THRESHOLDS: '{"duplicateVin":{"leaveMs":30000}}',
    },
    testInfo.outputPath('application.log'),
  );
});
test.afterAll(() => application?.stop());
test.beforeEach(({ page }) => application.signIn(page.context()));

const rowOf = (page: Page, flag: string) =>
  page.getByRole('table', { name: 'Flags' }).getByRole('row').filter({ hasText: flag });
const dialog = (page: Page) => page.getByRole('dialog');

const openSettings = async (page: Page): Promise<void> => {
  await page.goto(`${application.url}/settings`);
  await expect(rowOf(page, 'Bad VIN')).toBeVisible();
};

/** How many units have a flag, by the open menu of flags. */
const countFlag = async (page: Page, flag: RegExp): Promise<number> =>
  Number(/\d+/.exec((await page.getByRole('menuitemcheckbox', { name: flag }).textContent()) ?? '')?.[0]);

test('a manager sees the values in effect, and those that the environment sets are read-only', async ({
  page,
}) => {
  await page.goto(`${application.url}/status`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(rowOf(page, 'Not on roster')).toContainText('1 minute');
  await expect(rowOf(page, 'Not on roster')).toContainText('6 minutes');
  await expect(rowOf(page, 'VIN twice')).toContainText('30 seconds');
  await expect(rowOf(page, 'VIN twice')).toContainText('Set by the environment');
  await expect(page.getByRole('button', { name: 'Change… VIN twice' })).toHaveCount(0);
  const started = page.getByRole('table', { name: 'Start settings' });
  await expect(started.getByRole('row').filter({ hasText: 'POLL_INTERVAL_MS' })).toContainText('1 second');
});

test('a refused value has its message beside its field, and a saved value takes effect at once', async ({
  page,
}) => {
  await openSettings(page);
  await page.getByRole('button', { name: 'Change… Not on roster' }).click();
  const [enter, leave] = [
    page.getByLabel('Raised after', { exact: true }),
    page.getByLabel('Cleared after', { exact: true }),
  ];
  await expect(enter).toBeFocused();
  await expect(enter).toHaveValue('1');
  await enter.fill('25');
  await page.getByLabel('Unit of “Raised after”').selectOption('hours');
  await leave.fill('soon');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(enter).toHaveAccessibleDescription('Give a time of at most 24 hours.');
  await expect(leave).toHaveAccessibleDescription('Give a time from one second to 90 days.');
  await expect(enter).toBeFocused();
  await enter.fill('1');
  await page.getByLabel('Unit of “Raised after”').selectOption('seconds');
  await leave.fill('6');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, 'Not on roster')).toContainText('1 second');
  await expect(rowOf(page, 'Not on roster')).toContainText('preset: 1 minute');
  await expect(page.getByText(`Last changed by ${MANAGER.email}`)).toBeVisible();

  const map = await page.context().newPage();
  await map.goto(`${application.url}/fleets/${DEMO_USDOT}`);
  await expectLive(map);
  await map.getByRole('button', { name: 'Filter by flag' }).click();
  // Well before the minute of its preset.
  await expect.poll(() => countFlag(map, /Not on roster/)).toBeGreaterThan(0);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Preset… Not on roster' }).click();
  await expect(dialog(page)).toContainText('raised after 1 minute, and cleared after 6 minutes');
  await page.getByRole('button', { name: 'Use the preset' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, 'Not on roster')).not.toContainText('preset:');
});

test('a second factor that is required of managers leads them to its setup, from an open map as well', async ({
  page,
}) => {
  const map = await page.context().newPage();
  await map.goto(`${application.url}/fleets/${DEMO_USDOT}`);
  await expectLive(map);
  await openSettings(page);
  await page.getByRole('button', { name: 'Require it of managers…' }).click();
  await expect(dialog(page)).toContainText('you set it up next');
  await page.getByRole('button', { name: 'Require it', exact: true }).click();
  await expect(page).toHaveURL(`${application.url}/account`);
  await expect(page.getByText('Set up a second factor first.')).toBeVisible();
  await expect(map).toHaveURL(`${application.url}/account`);
});
