/** What people keep beside the trucks: notes on a unit, tags and saved views; and who is nearest. */
import type { Locator } from '@playwright/test';
import { readUnits } from './support/api-unit';
import { openDialog } from './support/dialog';
import { expect, test } from './support/fixtures';
import { createFleetPage, readCount } from './support/fleet-page';
import { LONG } from './support/long';
import { addSite, removeSites } from './support/sites';

test.afterEach(({ target }) => removeSites(target));

/** The height of a row of the list. The live list replaces it once, and one that was just replaced has none. */
const readHeightPx = async (row: Locator): Promise<number> => {
  let heightPx = 0;
  const read = async () =>
    (heightPx = await row.evaluate((element) => element.getBoundingClientRect().height));
  await expect.poll(read).toBeGreaterThan(0);
  return heightPx;
};

test('a note is in the panel, the list, the search and on the page of its vehicle, until it is removed', async ({
  page,
  api,
  target,
}) => {
  const unit = (await readUnits(api, target.usdot))[4]!;
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, `?unit=${unit.vin}`);
  const lastDay = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const rowPx = await readHeightPx(fleet.options.first());

  await openDialog(fleet.panel.getByRole('button', { name: 'Add a note' }));
  const dialog = page.getByRole('dialog', { name: `Note on Truck ${unit.truckNumber}` });
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(dialog.getByText('Write a note.')).toBeVisible();
  await dialog.getByLabel('Note').fill('Brakes squeal, at the shop');
  await dialog.getByLabel('Last day').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(dialog.getByText('Choose a day within the next year.')).toBeVisible();
  await dialog.getByLabel('Last day').fill(lastDay);
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(dialog).toBeHidden();
  const notes = fleet.panel.getByRole('list', { name: 'Notes' });
  await expect(notes).toContainText(
    /Brakes squeal, at the shop\s*Demo · \d{1,2}:\d\d [AP]M · until \w{3}, \w{3} \d+$/,
  );

  await fleet.search.fill('squeal SHOP');
  await expect(fleet.options).toHaveCount(1);
  await expect(fleet.options).toContainText(/Note: Brakes squeal/);
  expect(await readHeightPx(fleet.options)).toBe(rowPx);
  await expect.poll(async () => (await fleet.readDrawn()).units).toBe(1);

  const read = page.waitForResponse(/\/notes$/);
  await page.goto(`/fleets/${target.usdot}/units/${unit.vin}`);
  const body = await (await read).text();
  await expect(page.getByRole('list', { name: 'Notes' })).toContainText('Brakes squeal');
  // The button of the note may still be there when its dialog closes, and is not to take the focus to its end.
  await page.route(/\/notes$/, (route) => route.fulfill({ body }));
  await openDialog(page.getByRole('button', { name: /^Remove the note/ }));
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add a note' })).toBeFocused();
  await page.unroute(/\/notes$/);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Add a note' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Notes' })).toBeHidden();

  await fleet.open(target.usdot, '?q=squeal');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  expect(await readCount(fleet.all)).toBe(0);
});

test(
  'the units of a search are tagged together, and found by their tag in the search, the filter and a link',
  LONG,
  async ({ page, target }) => {
    const fleet = createFleetPage(page);
    const menu = page.getByRole('button', { name: /^Filter by flag, tag or site/ });
    const chooseItem = async (name: string | RegExp) => {
      await menu.click();
      await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemcheckbox', { name })).click();
    };
    await fleet.open(target.usdot, '?q=volvo');
    const volvos = await readCount(fleet.all);
    await chooseItem(`Tag the ${volvos} trucks shown…`);
    const dialog = page.getByRole('dialog', { name: `Tag the ${volvos} trucks shown` });
    await dialog
      .getByRole('textbox', { name: 'Tag' })
      .or(dialog.getByRole('combobox', { name: 'Tag' }))
      .fill('a, b');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('A tag has no commas and no quotation marks.')).toBeVisible();
    await dialog
      .getByRole('textbox', { name: 'Tag' })
      .or(dialog.getByRole('combobox', { name: 'Tag' }))
      .fill('Night  Shift');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(menu).toBeFocused();

    for (const query of ['tag:night-shift', 'tag:"night shift" volvo']) {
      await fleet.search.fill(query);
      await expect.poll(() => readCount(fleet.all), query).toBe(volvos);
    }
    await fleet.search.fill('tag:night');
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
    await fleet.search.fill('tag:nightshift freightliner');
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
    await fleet.search.fill('');

    await chooseItem(/^night shift/);
    await page.keyboard.press('Escape');
    await expect.poll(() => readCount(fleet.all)).toBe(volvos);
    await expect(page).toHaveURL(/[?&]tag=night\+shift/);
    await page.reload();
    await expect.poll(() => readCount(fleet.all)).toBe(volvos);

    await fleet.options.first().click();
    await fleet.panel.getByRole('button', { name: 'Take off the tag night shift' }).click();
    await expect(fleet.panel.getByRole('button', { name: 'Add a tag' })).toBeFocused();
    await expect.poll(() => readCount(fleet.all)).toBe(volvos - 1);

    await chooseItem('Rename or remove tags…');
    await page.getByRole('button', { name: 'Rename night shift' }).click();
    await page.getByLabel('New name').fill('nights');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('button', { name: 'Show the trucks of nights' }).click();
    await expect(page).toHaveURL(/[?&]tag=nights/);
    await expect.poll(() => readCount(fleet.all)).toBe(volvos - 1);
    await chooseItem('Rename or remove tags…');
    await page.getByRole('button', { name: 'Remove nights' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    // The list is back, without the tag, beside tags of other tests.
    await expect(page.getByRole('button', { name: 'Remove', exact: true })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Remove nights' })).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByRole('button', { name: 'Show all trucks' }).click();
    await expect.poll(() => readCount(fleet.all)).toBeGreaterThan(volvos);
  },
);

test(
  'a view is saved, opened, shared and shown by the start page, by keyboard alone',
  LONG,
  async ({ page, target }) => {
    const fleet = createFleetPage(page);
    const menu = page.getByRole('menu');
    const openMenu = async () => {
      await page.keyboard.press('v');
      await expect(menu.getByRole('menuitem', { name: 'Save this view…' })).toBeVisible();
    };
    const press = async (name: string | RegExp) => {
      const item = menu.getByRole('menuitem', { name });
      await expect(async () => {
        await page.keyboard.press('ArrowDown');
        expect(await item.evaluate((element) => element === document.activeElement)).toBe(true);
      }).toPass({ intervals: [50] });
      await page.keyboard.press('Enter');
    };
    await fleet.open(target.usdot, '?status=stopped&sort=truck&columns=plate&at=@32.8,-97,7z');
    await openMenu();
    await press('Save this view…');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Name')).toBeFocused();
    await page.keyboard.type('Parked in Texas');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(dialog.getByLabel('Show it when I open Linehaul')).toBeChecked();
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();

    await page.goto('/');
    await expect(page).toHaveURL(/\/fleets\/\d+\?status=stopped&sort=truck&columns=plate&at=@32\.8,-97,7$/);
    await expect(fleet.counter('Stopped')).toHaveAttribute('aria-pressed', 'true');
    await page.goto('/?q=volvo');
    await expect(fleet.search).toHaveValue('volvo');
    await expect(fleet.counter('Stopped')).toHaveAttribute('aria-pressed', 'false');

    await fleet.canvas.focus();
    await openMenu();
    await press(/^Parked in Texas/);
    await expect(page).toHaveURL(/\?status=stopped&sort=truck&columns=plate&at=@32\.8,-97,7$/);
    await expect(fleet.search).toHaveValue('');
    await expect(fleet.order).toHaveAccessibleName('Order and columns: Truck number');
    await page.goBack();
    await expect(fleet.search).toHaveValue('volvo');

    await openMenu();
    await press('Change or remove views…');
    await page.getByRole('button', { name: 'Change Parked in Texas' }).press('Enter');
    await dialog.getByLabel('Name').fill('Volvos');
    await dialog.getByLabel('Share it with all who see this fleet').check();
    await dialog.getByLabel('Replace it by what the screen shows now').check();
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('shared with the fleet')).toBeVisible();
    await dialog.getByRole('button', { name: 'Start page: Volvos' }).press('Enter');
    await expect(dialog.getByRole('button', { name: 'Start page: Volvos' })).toHaveAttribute(
      'aria-pressed',
      'false',
    );
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Saved views' })).toBeFocused();
    await page.goto('/');
    await expect(page).toHaveURL(/\/fleets\/\d+(\?at=[^&]*)?$/);
    await expect(fleet.options.first()).toBeVisible();
    await openMenu();
    await press(/^Volvos/);
    await expect(fleet.search).toHaveValue('volvo');

    await openMenu();
    await press('Change or remove views…');
    await dialog.getByRole('button', { name: 'Remove Volvos' }).press('Enter');
    await dialog.getByRole('button', { name: 'Remove', exact: true }).press('Enter');
    // Other tests may have left views.
    await expect(dialog.getByRole('heading', { name: 'Saved views' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Remove Volvos' })).toBeHidden();
    await page.goto('/audit');
    await expect(page.getByRole('row').filter({ hasText: 'Removed a shared view' })).toContainText('Volvos');
    await expect(page.getByRole('row').filter({ hasText: 'Shared a view' })).toContainText('Volvos');
  },
);

test(
  'the nearest units of a place on the map, of its middle, of a town and of a site are listed, and lead to their panels',
  LONG,
  async ({ page, target }) => {
    const fleet = createFleetPage(page);
    const units = fleet.panel.getByRole('list', { name: 'Nearest trucks' }).getByRole('button');
    /** Miles of the listed units, which must ascend; less than a mile is shown in feet. */
    const readMiles = async () => {
      const texts = await units
        .locator('b')
        .filter({ hasText: /^[\d.,]+ (mi|ft)$/ })
        .allTextContents();
      const miles = texts.map((text) => (text.endsWith('mi') ? parseFloat(text.replace(',', '')) : 0));
      expect(miles).toEqual(miles.toSorted((a, b) => a - b));
      return miles;
    };
    for (const [name, lat, lng] of [
      ['Yard Waco', 31.55, -97.15],
      ['Yard Waco 2', 31.65, -97.25],
    ] as const)
      await addSite(target, name, { type: 'circle', lat, lng, radiusM: 200 });
    await fleet.open(target.usdot, '?at=@32.8,-97,7z&status=moving,stopped');
    const { x, y, width, height } = (await fleet.canvas.boundingBox())!;
    await page.mouse.click(x + width * 0.3, y + height * 0.4, { button: 'right' });
    await page.getByRole('menuitem', { name: 'Nearest trucks here' }).click();
    await expect(fleet.panel.getByRole('heading', { name: 'Nearest trucks' })).toBeFocused();
    await expect(units).toHaveCount(25);
    await expect(units.first()).toHaveText(
      /^Truck \d+[\d.]+ (mi|ft) · about \d.* (min|m)(\d+ mph [NESW]+|parked .*|just parked|moving).*, [A-Z]{2}fix \d+ (s|min) old$/,
    );
    expect((await readMiles()).length).toBe(25);
    await expect(fleet.panel.getByText(/^Filtered by Moving, Stopped: \d+ trucks/)).toBeVisible();
    await expect(fleet.panel.getByText('distance × 1.25 at 50 mph')).toBeVisible();
    await expect(page).toHaveURL(/&near=33\.\d+,-99\.\d+/);

    const title = (await units.first().locator('b').first().textContent())!;
    await units.first().click();
    await expect(fleet.panel.getByRole('heading', { name: title })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(units).toHaveCount(25);
    await page.keyboard.press('Escape');
    await expect(fleet.panel).toBeHidden();
    await expect(page).not.toHaveURL(/near=/);

    await page.keyboard.press('d');
    await expect(fleet.panel.getByText('32.80000, -97.00000')).toBeVisible();
    const field = fleet.panel.getByLabel('Another place');
    await field.fill('No such town');
    await field.press('Enter');
    await expect(fleet.panel.getByText('No site has this in its name', { exact: false })).toBeVisible();
    await field.fill('Amarillo, TX');
    await expect(page).toHaveURL(/near=35\.\d+,-101\.\d+,Amarillo,\+TX/);
    // The map goes to the town and the trucks nearest to it, wherever they are now.
    await expect(page).not.toHaveURL(/at=@32\.8,-97,7/);
    // A site by a part of its name; one that is another's beginning waits for Enter.
    await field.fill('yard wa');
    await field.press('Enter');
    await expect(page).toHaveURL(/near=31\.5[0-9]*,-97\.1[0-9]*,Yard\+Waco/);
    await field.fill('Yard Waco 2');
    await expect(page).toHaveURL(/near=31\.6[0-9]*,-97\.2[0-9]*,Yard\+Waco\+2/);
    await expect(fleet.panel.getByText('Yard Waco 2')).toBeVisible();
    await field.fill('29.76, -95.37');
    await field.press('Enter');
    await expect(fleet.panel.getByText('Houston, TX 29.76000, -95.37000')).toBeVisible();
    await expect(units).toHaveCount(25);
    const miles = await readMiles();

    await page.reload();
    await expect(fleet.panel.getByText('Houston, TX 29.76000, -95.37000')).toBeVisible();
    await expect(units).toHaveCount(25);
    expect(Math.abs((await readMiles())[24]! - miles[24]!)).toBeLessThan(60);
  },
);
