/**
 * Settings of the whole server: when a flag is raised. sign-in.spec.ts covers whether managers need a second factor.
 */
import type { Page } from '@playwright/test';
import { DEMO_USDOT } from './support/application';
import { companyTest as test, expect } from './support/fixtures';
import { expectLive } from './support/fleet-page';
import { MANAGER } from './support/session';

test.setTimeout(120_000);

const rowOf = (page: Page, flag: string) =>
  page.getByRole('table', { name: 'Flags' }).getByRole('row').filter({ hasText: flag });
const dialog = (page: Page) => page.getByRole('dialog');

/** How many units have a flag, by the open menu of flags. */
const countFlag = async (page: Page, flag: RegExp): Promise<number> =>
  Number(/\d+/.exec((await page.getByRole('menuitemcheckbox', { name: flag }).textContent()) ?? '')?.[0]);

test('a manager sees the values in effect and changes one, which takes effect at once', async ({ page }) => {
  await page.goto('/status');
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await expect(rowOf(page, 'Bad VIN')).toContainText('1 minute');
  await expect(rowOf(page, 'Not on roster')).toContainText('23 hours');
  await expect(rowOf(page, 'VIN twice')).toContainText('30 seconds');
  await expect(rowOf(page, 'VIN twice')).toContainText('Set by the environment');
  await expect(page.getByRole('button', { name: 'Change… VIN twice' })).toHaveCount(0);
  const started = page.getByRole('table', { name: 'Startup settings' });
  await expect(started.getByRole('row').filter({ hasText: 'POLL_INTERVAL_MS' })).toContainText('1 second');

  await page.getByRole('button', { name: 'Change… Not on roster' }).click();
  const [enter, leave] = [
    page.getByLabel('Raised after', { exact: true }),
    page.getByLabel('Cleared after', { exact: true }),
  ];
  await expect(enter).toBeFocused();
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
  await expect(rowOf(page, 'Not on roster')).toContainText('default: 1 minute');
  await expect(page.getByText(`Last changed by ${MANAGER.email}`)).toBeVisible();

  const map = await page.context().newPage();
  await map.goto(`/fleets/${DEMO_USDOT}`);
  await expectLive(map);
  await map.getByRole('button', { name: 'Filter by flag' }).click();
  await expect.poll(() => countFlag(map, /Not on roster/)).toBeGreaterThan(0);
  await page.bringToFront();
  await page.getByRole('button', { name: 'Default… Not on roster' }).click();
  await expect(dialog(page)).toContainText('raised after 1 minute, and cleared after 6 minutes');
  await page.getByRole('button', { name: 'Use the default' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(rowOf(page, 'Not on roster')).not.toContainText('default:');
});
