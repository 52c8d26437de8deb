/** What managers set for the whole server: when a flag is put up, and that they need a second factor. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { DEMO_USDOT, startApplication } from './support/application';
import type { Application } from './support/application';
import { expectFaultlessOnPhoneAndDesk } from './support/faultless';
import { MANAGER } from './support/session';
import { expectLive } from './support/told';

// One server: what a test leaves is where the next begins.
test.describe.configure({ mode: 'serial' });
test.setTimeout(120_000);

/** A flag of the demo takes up to a minute by its preset. */
const FLAGGED_WITHIN_MS = 90_000;

let application: Application;

test.beforeAll(async ({}, testInfo) => {
  application = await startApplication(
    {
      ACCOUNTS: 'required',
      // As many as it takes to have one of each kind to check.
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

test('a manager sees what holds, and what the environment has said is not to be changed', async ({
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
  await expectFaultlessOnPhoneAndDesk(page);
});

test('what cannot be is said beside its field', async ({ page }) => {
  await openSettings(page);
  await page.getByRole('button', { name: 'Change… Identity changed' }).click();
  const [enter, leave] = [
    page.getByLabel('Put up after', { exact: true }),
    page.getByLabel('Taken down after', { exact: true }),
  ];
  await expect(enter).toBeFocused();
  await expect(enter).toHaveValue('1');
  await enter.fill('25');
  await page.getByLabel('Unit of “Put up after”').selectOption('hours');
  await leave.fill('soon');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(enter).toHaveAccessibleDescription('Give a time of at most 24 hours.');
  await expect(leave).toHaveAccessibleDescription('Give a time from one second to 90 days.');
  await expect(enter).toBeFocused();
  await expectFaultlessOnPhoneAndDesk(page);
  await enter.fill('2');
  await leave.fill('1.5');
  await page.getByLabel('Unit of “Taken down after”').selectOption('hours');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(leave).toHaveAccessibleDescription(/^Both times count from the change/);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, 'Identity changed')).toContainText('1 minute');

  await page.getByRole('button', { name: 'Change… Check lease' }).click();
  const answers = page.getByLabel('Answers in a row that name another carrier');
  await expect(answers).toBeFocused();
  await answers.fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(answers).toHaveAccessibleDescription('Give a number from 1 to 20.');
  await answers.fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, 'Check lease')).toContainText('3 answers, then at once');
});

test('a flag comes only as late as was set, and at its own time once it is as before', async ({ page }) => {
  await openSettings(page);
  await page.getByRole('button', { name: 'Change… Bad VIN' }).click();
  await page.getByLabel('Put up after', { exact: true }).fill('12');
  await page.getByLabel('Unit of “Put up after”').selectOption('hours');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, 'Bad VIN')).toContainText('12 hours');
  await expect(rowOf(page, 'Bad VIN')).toContainText('preset: 5 seconds');
  await expect(page.getByText(`Last changed by ${MANAGER.email}`)).toBeVisible();

  const map = await page.context().newPage();
  await map.goto(`${application.url}/fleets/${DEMO_USDOT}`);
  await expectLive(map);
  await map.getByRole('button', { name: 'Filter by flag' }).click();
  // Another one that takes longer by its preset: once it is there, the first would have been.
  await expect.poll(() => countFlag(map, /Not on roster/), { timeout: FLAGGED_WITHIN_MS }).toBeGreaterThan(0);
  expect(await countFlag(map, /Bad VIN/)).toBe(0);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Preset… Bad VIN' }).click();
  await expect(dialog(page)).toContainText('put up after 5 seconds, and taken down after 1 minute');
  await expectFaultlessOnPhoneAndDesk(page);
  await page.getByRole('button', { name: 'Use the preset' }).click();
  await expect(dialog(page)).toBeHidden();
  await map.bringToFront();
  await expect.poll(() => countFlag(map, /Bad VIN/), { timeout: FLAGGED_WITHIN_MS }).toBeGreaterThan(0);
});

test('a second factor that is required of managers leads them to set it up, from an open map as well', async ({
  page,
}) => {
  const map = await page.context().newPage();
  await map.goto(`${application.url}/fleets/${DEMO_USDOT}`);
  await expectLive(map);
  await openSettings(page);
  await page.getByRole('button', { name: 'Require it of managers…' }).click();
  await expect(dialog(page)).toContainText('you are led to set it up next');
  await expectFaultlessOnPhoneAndDesk(page);
  await page.getByRole('button', { name: 'Require it', exact: true }).click();
  await expect(page).toHaveURL(`${application.url}/account`);
  await expect(page.getByText('Set up a second factor first.')).toBeVisible();
  await expect(map).toHaveURL(`${application.url}/account`);
});
