/**
 * Keyboard use without a mouse: every control is reachable, each shows its focus, and Esc undoes the last
 * action.
 */
import { readUnits } from './support/api-unit';
import { expect, test } from './support/fixtures';
import { createFleetPage, factOf, readCount } from './support/fleet-page';
import { tabTo } from './support/keyboard';
import { LONG } from './support/long';

test.setTimeout(180_000);

test('the keyboard alone searches, selects, filters, and goes to the pages and back', async ({
  page,
  target,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);

  await tabTo(page, fleet.search);
  await page.keyboard.type('freightliner');
  await expect.poll(() => readCount(fleet.all)).toBeLessThan(300);

  // Esc closes what was opened last.
  const pill = page.getByRole('button', { name: /Show ages/ });
  await tabTo(page, pill);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Newest truck position')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Newest truck position')).toBeHidden();
  await expect(pill).toBeFocused();
  await expect(fleet.search).toHaveValue('freightliner');

  await tabTo(page, fleet.list);
  await page.keyboard.press('ArrowDown');
  await expect(fleet.panel.getByRole('heading', { level: 2 })).toBeVisible();
  const title = (await fleet.panel.getByRole('heading', { level: 2 }).textContent())!;
  const vin = (await factOf(fleet.panel, 'VIN').textContent())!;
  const follow = fleet.panel.getByRole('button', { name: /^Follow/ });
  await tabTo(page, follow);
  await page.keyboard.press('Space');
  await expect(follow).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Space');
  await tabTo(page, fleet.canvas);
  await page.keyboard.press('Escape');
  await expect(fleet.panel).toBeHidden();
  await expect(fleet.list).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(fleet.search).toHaveValue('');

  const filter = page.getByRole('button', { name: /^Filter by flag/ });
  await tabTo(page, filter, 'Shift+Tab');
  await page.keyboard.press('Enter');
  const line = page.getByRole('menuitemcheckbox', { name: /Bad VIN/ });
  await expect(line).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('ArrowDown');
    expect(await line.evaluate((element) => element === document.activeElement)).toBe(true);
  }).toPass({ intervals: [50] });
  await page.keyboard.press('Space');
  await expect(line).toHaveAttribute('aria-checked', 'true');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(filter).toBeFocused();
  await expect(page).toHaveURL(/[?&]flag=badVin/);
  await page.keyboard.press('Enter');
  const clear = page.getByRole('menuitem', { name: 'Clear these' });
  await expect(clear).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('ArrowUp');
    expect(await clear.evaluate((element) => element === document.activeElement)).toBe(true);
  }).toPass({ intervals: [50] });
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/flag=/);

  const moving = fleet.counter('Moving');
  await tabTo(page, moving, 'Shift+Tab');
  await page.keyboard.press('Space');
  await expect(moving).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Space');
  await expect(moving).toHaveAttribute('aria-pressed', 'false');

  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Shortcuts' });
  await expect(keys.getByRole('button', { name: 'Close' })).toBeFocused();
  await page.keyboard.press('/');
  await expect(fleet.search).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(keys).toBeHidden();
  await expect(moving).toBeFocused();

  await page.keyboard.press('/');
  await page.keyboard.type(vin);
  await page.keyboard.press('Enter');
  await expect(fleet.panel.getByRole('heading', { name: title })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'On the map' }));
  await page.keyboard.press('Enter');
  await expect(fleet.panel.getByRole('heading', { name: title })).toBeVisible();

  await tabTo(page, page.getByRole('link', { name: 'Status' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: /^Open map/ }).first());
  await page.goBack();
  await expect(fleet.panel.getByRole('heading', { name: title })).toBeVisible();
});

test('on a narrow screen Tab scrolls to controls under its edge', LONG, async ({ page, target }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);
  await tabTo(page, fleet.list);
  await expect(fleet.options.first()).toBeInViewport();
  await page.keyboard.press('ArrowDown');
  await expect(fleet.panel.getByRole('heading', { level: 2 })).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(fleet.panel).toBeHidden();
  await expect(fleet.list).toBeFocused();
});

test('the list of the HTML passes its focus on to the live list', LONG, async ({ page, target }) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/live/, async (route) => {
    await released;
    await route.continue();
  });
  // The HTML has no list where the server's own copy took too long.
  await expect(async () => {
    await page.reload();
    await expect(fleet.list).toHaveAttribute('aria-busy', 'true', { timeout: 1000 });
  }).toPass();
  await fleet.list.focus();
  release();
  await expect(fleet.list).not.toHaveAttribute('aria-busy');
  await expect(fleet.list).toBeFocused();
});

test(
  'keys fit the map, show the shortcuts, move through the list, and find a unit and open it',
  LONG,
  async ({ page, api, target }) => {
    const [unit] = await readUnits(api, target.usdot);
    if (!unit) throw new Error('The API lists no unit.');
    const fleet = createFleetPage(page);
    await fleet.open(target.usdot, '?sort=truck&at=@39,-97,9z');
    const all = await readCount(fleet.all);
    await expect(fleet.inView).toHaveText(/\d/);
    const inView = await readCount(fleet.inView);

    await test.step('a letter typed into the search is no shortcut', async () => {
      await fleet.search.pressSequentially('f?/');
      await expect(fleet.search).toHaveValue('f?/');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await fleet.search.fill('');
      await expect.poll(() => readCount(fleet.inView)).toBe(inView);
      await page.keyboard.press('Escape');
      await expect(fleet.search).not.toBeFocused();
    });
    await test.step('f and ?', async () => {
      await page.keyboard.press('f');
      await expect.poll(() => readCount(fleet.inView)).toBeGreaterThan(all * 0.9);
      await page.keyboard.press('?');
      const help = page.getByRole('dialog', { name: 'Shortcuts' });
      await expect(help).toContainText('Fit the map to the fleet');
      await page.keyboard.press('Escape');
      await expect(help).toBeHidden();
    });
    await test.step('the arrow keys', async () => {
      const selectedPlace = () => fleet.selectedOption.getAttribute('aria-posinset');
      await page.keyboard.press('ArrowDown');
      await expect.poll(selectedPlace).toBe('1');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await expect.poll(selectedPlace).toBe('3');
      await page.keyboard.press('ArrowUp');
      await expect.poll(selectedPlace).toBe('2');
      await page.keyboard.press('End');
      await expect.poll(async () => Number(await selectedPlace())).toBeGreaterThan(300);
      await expect(fleet.selectedOption).toBeInViewport();
      await page.keyboard.press('Home');
      await expect.poll(selectedPlace).toBe('1');
      await page.keyboard.press('Escape');
      await expect(fleet.selectedOption).toHaveCount(0);
    });
    await test.step('/ and Enter', async () => {
      await page.keyboard.press('/');
      await expect(fleet.search).toBeFocused();
      await page.keyboard.type(unit.licensePlate.number);
      await expect(fleet.options).toHaveCount(1);
      await page.keyboard.press('Enter');
      await expect(fleet.list).toBeFocused();
      await expect(fleet.panel.getByRole('heading', { name: `Truck ${unit.truckNumber}` })).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(fleet.panel).toBeHidden();
      await page.keyboard.press('Escape');
      await expect(fleet.search).toHaveValue('');
      await page.keyboard.press('/');
      await page.keyboard.type(unit.vin);
      await page.keyboard.press('ArrowDown');
      await expect(fleet.selectedOption).toContainText(unit.truckNumber);
      await page.keyboard.press('Enter');
      await expect(fleet.list).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`/fleets/${target.usdot}/units/${unit.vin}`);
    });
  },
);
