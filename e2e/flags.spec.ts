import type { Locator } from '@playwright/test';
import { DEMO_SPECIMENS } from '@/testing/service/demo-specimens';
import { createFleetPage, readCount } from './support/fleet-page';
import { expect, test } from './support/fixtures';
import { LONG } from './support/long';

const [mismatched] = DEMO_SPECIMENS.mismatched;

test(
  'a flag is chosen by keyboard, its unit opened, its evidence read and explained',
  LONG,
  async ({ page, target }) => {
    const fleet = createFleetPage(page);
    await fleet.open(target.usdot);
    const all = await readCount(fleet.all);

    await page.getByRole('button', { name: 'Filter by flag' }).focus();
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu');
    const line = menu.getByRole('menuitemcheckbox', { name: /VIN mismatch/ });
    await expect(line).toBeVisible();
    const counted = Number(/\d+/.exec((await line.textContent()) ?? '')?.[0]);
    expect(counted).toBeGreaterThan(0);
    await line.focus();
    await page.keyboard.press('Enter');
    await expect(line).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.press('Escape');
    await expect(menu).toBeHidden();

    await expect(page).toHaveURL(/[?&]flag=vinMismatch/);
    await expect.poll(() => readCount(fleet.all)).toBe(counted);
    expect(counted).toBeLessThan(all);
    await expect.poll(async () => (await fleet.readDrawn()).units).toBe(counted);

    const readLate = (symbol: Locator) => symbol.locator('path').first().getAttribute('d');
    const late = await readLate(fleet.map.getByRole('listitem').filter({ hasText: 'late' }));

    await fleet.options.filter({ hasText: mismatched! }).click();
    await expect(fleet.panel).toContainText(/Model year \d{4} is given; the VIN says \d{4}/);
    await fleet.panel.getByRole('link', { name: /^VIN mismatch/ }).click();
    await expect(page).toHaveURL(/\/help#vinMismatch$/);
    await expect(page.getByRole('heading', { name: 'What the map shows' })).toBeVisible();
    await expect(page.locator('#vinMismatch')).toBeInViewport();
    expect(await readLate(page.locator('#late')), 'the symbol is the legend’s').toBe(late);
    await page.goBack();
    await expect(page).toHaveURL(/flag=vinMismatch/);
    await expect(page.getByRole('button', { name: 'Filter by flag, tag or site: 1 chosen' })).toBeVisible();
  },
);
