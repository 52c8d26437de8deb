/** What people keep beside the trucks: notes on a unit and tags. */
import { readUnits } from './support/api-unit';
import { openDialog } from './support/dialog';
import { expect, test } from './support/fixtures';
import { createFleetPage, readCount } from './support/fleet-page';

test('a note is in the panel, the list, the search and on the page of its vehicle, until it is removed', async ({
  page,
  api,
  target,
}) => {
  const unit = (await readUnits(api, target.usdot))[4]!;
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot, `?unit=${unit.vin}`);
  const lastDay = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const rowPx = (await fleet.options.first().boundingBox())!.height;

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
    /Brakes squeal, at the shop\s*Demo · \d\d:\d\d · until \w{3}, \w{3} \d+$/,
  );

  await fleet.search.fill('squeal SHOP');
  await expect(fleet.options).toHaveCount(1);
  await expect(fleet.options).toContainText(/Note: Brakes squeal/);
  expect((await fleet.options.boundingBox())!.height).toBe(rowPx);
  await expect.poll(async () => (await fleet.readDrawn()).units).toBe(1);

  await page.goto(`/fleets/${target.usdot}/units/${unit.vin}`);
  await expect(page.getByRole('list', { name: 'Notes' })).toContainText('Brakes squeal');
  await openDialog(page.getByRole('button', { name: /^Remove the note/ }));
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Notes' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add a note' })).toBeFocused();

  await fleet.open(target.usdot, '?q=squeal');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  expect(await readCount(fleet.all)).toBe(0);
});

test('the units of a search are tagged together, and found by their tag in the search, the filter and a link', async ({
  page,
  target,
}) => {
  const fleet = createFleetPage(page);
  const menu = page.getByRole('button', { name: /^Filter by flag or tag/ });
  const chooseItem = async (name: string | RegExp) => {
    await menu.click();
    await page.getByRole('menuitem', { name }).or(page.getByRole('menuitemcheckbox', { name })).click();
  };
  await fleet.open(target.usdot, '?q=volvo');
  const volvos = await readCount(fleet.all);
  await chooseItem(`Tag the ${volvos} units shown…`);
  const dialog = page.getByRole('dialog', { name: `Tag the ${volvos} units shown` });
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
  await page.getByRole('button', { name: 'Show the units of nights' }).click();
  await expect(page).toHaveURL(/[?&]tag=nights/);
  await expect.poll(() => readCount(fleet.all)).toBe(volvos - 1);
  await chooseItem('Rename or remove tags…');
  await page.getByRole('button', { name: 'Remove nights' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No tags yet.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show all units' }).click();
  await expect.poll(() => readCount(fleet.all)).toBeGreaterThan(volvos);
});
