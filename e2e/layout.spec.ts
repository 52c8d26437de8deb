/**
 * Each menu and popover of each page, at the widths of desks and of a phone and in both themes: nothing covers it, and the
 * page does not scroll. Dialogs are checked where accessible*.spec.ts opens them, and in every test by support/layout.ts.
 */
import type { Page } from '@playwright/test';
import { readUnits } from './support/api-unit';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { DESK_WIDTHS, PHONE_WIDTHS, expectSoundLayout } from './support/layout';
import { LONG } from './support/long';
import { addSite, removeSites } from './support/sites';

test.setTimeout(1_200_000);

const POPUP = '[role=menu], [role=dialog]';

/** Runs in the page. Whether a button can be pressed where it is: on a phone, a sheet may hide it. */
const isUncovered = (button: Element): boolean => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
};

/** What a button opens, whichever truck, site or user it is of: rows have equal menus. */
const toKind = (name: string): string => name.replace(/[A-Z0-9]*\d\w*/g, '#');

/** Opens each kind of popup of the page in turn; returns the names of their buttons. */
const checkPopups = async (page: Page, widths: readonly number[]): Promise<string[]> => {
  await page.setViewportSize({ width: widths[0]!, height: 844 });
  await expectSoundLayout(page, widths);
  const buttons = page.locator('[aria-haspopup]:visible');
  // The first input of a user loads the code of the popups.
  await expect(buttons.first()).toBeVisible();
  const names: string[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < (await buttons.count()); index++) {
    const button = buttons.nth(index);
    if ((await button.isDisabled()) || !(await button.evaluate(isUncovered))) continue;
    const name = (await button.getAttribute('aria-label')) ?? (await button.innerText()).trim();
    if (seen.has(toKind(name))) continue;
    seen.add(toKind(name));
    names.push(name);
    await button.click();
    await expect(page.locator(POPUP).last()).toBeVisible();
    await expectSoundLayout(page, widths);
    // The popup may take the focus late.
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(page.locator(POPUP)).toHaveCount(0, { timeout: 1000 });
    }).toPass();
  }
  return names;
};

test('nothing covers a menu or a popover, and no page scrolls', LONG, async ({ page, api, target }) => {
  const fleet = `/fleets/${target.usdot}`;
  const [unit] = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
  const id = await addSite(target, 'Yard North', { type: 'circle', lat: 61.2, lng: -149.9, radiusM: 300 });
  await createFleetPage(page).open(target.usdot);
  const names = new Set<string>();
  for (const path of [
    fleet,
    `${fleet}?unit=${unit?.vin}`,
    `${fleet}/units/${unit?.vin}`,
    `${fleet}/units/${unit?.vin}?view=day`,
    `${fleet}/roster`,
    `${fleet}/history`,
    `${fleet}/history?question=miles`,
    `${fleet}/history?question=visits`,
    `${fleet}/history?question=who`,
    `${fleet}/handover`,
    `${fleet}/sites`,
    `${fleet}/sites/${id}`,
    `${fleet}/alerts`,
    ...['/status', '/users', '/audit', '/api-keys', '/devices', '/refused-reports', '/screens', '/settings'],
    ...['/fleet-source', '/help'],
  ])
    for (const widths of [DESK_WIDTHS, PHONE_WIDTHS]) {
      await page.setViewportSize({ width: widths[0]!, height: 844 });
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
      if (path === fleet && widths === PHONE_WIDTHS)
        await page.getByRole('button', { name: 'Grow the list' }).click();
      for (const name of await checkPopups(page, widths)) names.add(name);
    }
  expect([...names].join('\n')).toMatch(/Filter by flag[^]*Menu[^]*Compare…[^]*Export/);
  await removeSites(target);
});

test('no page of one card scrolls, in a window as high as a phone', LONG, async ({ page }) => {
  for (const path of ['/fleets/90A', '/no-such-page', '/reset', '/join', '/screen']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectSoundLayout(page);
  }
});
