/**
 * Each menu and popover of each page, at the widths of desks and of a phone and in both themes: nothing covers it, and the
 * page does not scroll. Dialogs are checked where accessible*.spec.ts opens them, and in every test by support/layout.ts.
 */
import type { Page } from '@playwright/test';
import { readUnits } from './support/api-unit';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { DESK_WIDTHS, PHONE_WIDTHS, expectSoundLayout, expectWidthUsed } from './support/layout';
import { LONG } from './support/long';
import { addSite, removeSites } from './support/sites';

test.setTimeout(300_000);

/** Not the list of trucks, which is always there. */
const POPUP = '[role=menu]:visible, [role=dialog]:visible, [role=listbox]:not(#unit-list):visible';

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
    }).toPass({ timeout: 10_000 });
  }
  return names;
};

const PAGES = [
  ...['', '?unit=:vin', '/units/:vin', '/units/:vin?view=day', '/loads?span=all', '/loads/grades', '/roster'],
  ...[
    '/history',
    '/history?question=miles',
    '/history?question=visits',
    '/history?question=facilities',
    '/history?question=quality&by=device',
    '/history?question=who',
    '/handover',
  ],
  ...['/sites', '/sites/:site', '/alerts'],
].map((path) => `/fleets/:usdot${path}`);
const OTHER_PAGES = [
  ...['/status', '/users', '/audit', '/api-keys', '/devices', '/refused-reports', '/screens', '/settings'],
  ...['/fleet-source', '/help'],
];

for (const path of [...PAGES, ...OTHER_PAGES])
  test(
    `nothing covers a menu or a popover, and no page scrolls: ${path}`,
    LONG,
    async ({ page, api, target }) => {
      const [unit] = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
      const yard = { type: 'circle', lat: 61.2, lng: -149.9, radiusM: 300 } as const;
      const site = path.includes(':site') ? await addSite(target, 'Yard North', yard) : 0;
      const address = path
        .replace(':usdot', String(target.usdot))
        .replace(':vin', unit!.vin)
        .replace(':site', String(site));
      // As in a browser that was here before.
      await createFleetPage(page).open(target.usdot);
      for (const widths of [DESK_WIDTHS, PHONE_WIDTHS]) {
        await page.setViewportSize({ width: widths[0]!, height: 844 });
        await page.goto(address);
        await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
        if (path === PAGES[0] && widths === PHONE_WIDTHS)
          await page.getByRole('button', { name: 'Grow the list' }).click();
        expect(await checkPopups(page, widths)).not.toEqual([]);
      }
      if (site !== 0) await removeSites(target);
    },
  );

test('no page of one card scrolls, in a window as high as a phone', LONG, async ({ page }) => {
  for (const path of ['/fleets/90A', '/no-such-page', '/reset', '/join', '/screen']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectSoundLayout(page);
  }
});

test('lists use the width that they have before they cut a text', LONG, async ({ page, target }) => {
  const fleet = `/fleets/${target.usdot}`;
  for (const path of [
    '/roster',
    '/history?question=activity',
    '/history?question=miles',
    '/loads?span=all',
  ]) {
    await page.goto(`${fleet}${path}`);
    const rows = page.locator('main tbody tr');
    if (path === '/roster') await expect(rows.nth(2)).toContainText(/[a-z]/);
    else await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectWidthUsed(page);
  }
});
