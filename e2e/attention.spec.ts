/** What people keep beside the trucks: notes on a unit. */
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
