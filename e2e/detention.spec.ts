/** A stay that the recording has, from the page of its site to a statement that a stranger checks. */
import { expect, test } from './support/fixtures';
import { readLiveUnits } from './support/live-fleet';
import { makeStay } from './support/proof';
import { removeSites } from './support/sites';

test.afterEach(({ target }) => removeSites(target));

test('a statement is issued in three clicks from a visit, and checked by a stranger', async ({
  page,
  request,
  target,
  browser,
}) => {
  const { usdot, application } = target;
  const [unit] = (await readLiveUnits(request, usdot)).filter(({ hasPosition }) => hasPosition);
  const at = { lat: 44.05, lng: -121.3 };
  await makeStay(target, { name: 'Acme Bend', unit: unit!.key, at });

  await page.goto(`/fleets/${usdot}/proof/billable`);
  const listed = page.getByRole('table', { name: 'Visits to bill' });
  await expect(listed).toContainText('Acme Bend');
  await page.getByRole('button', { name: /^Do not bill… truck .* at Acme Bend/ }).click();
  await page.getByRole('button', { name: 'Do not bill it' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  // The button that opened the dialog is gone with its row.
  await expect(page.locator('main :focus')).toBeAttached();
  await page.getByRole('button', { name: 'Not billed 1' }).click();
  await expect(listed).toContainText('Acme Bend');
  await page.getByRole('button', { name: /^Put back/ }).click();
  await page.getByRole('button', { name: 'Put it back' }).click();
  await expect(page.getByText('No visits are left out.')).toBeVisible();
  await page.getByRole('button', { name: /^To bill/ }).click();
  await page.getByRole('button', { name: /^Statement about truck .* at Acme Bend/ }).click();
  await expect(page.getByRole('dialog')).toContainText('1 h 15 min at least');
  await page.getByRole('button', { name: 'Issue statement' }).click();
  // The list has the visit no more.
  await expect(page.getByRole('dialog')).toContainText('Only your users can open its page.');
  await expect(page.getByRole('link', { name: 'Open' })).toBeFocused();
  // A link for a stranger shows it to the stranger.
  await page.getByRole('button', { name: 'Copy link for anyone' }).click();
  await expect(page.getByRole('dialog')).toContainText('Anyone who has the link can open and check it.');
  const address = (await page.getByRole('link', { name: 'Open' }).getAttribute('href'))!;
  // It is a document that scrolls, not a page of the application.
  const document = await page.context().newPage();
  await document.goto(address);
  await expect(document.getByText('$75.00').first()).toBeVisible();
  await document.close();

  const stranger = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const phone = await stranger.newPage();
  await phone.goto(address);
  await expect(phone.getByText('$75.00').first()).toBeVisible();
  await phone.goto(`${application.url}/verify?number=${address.split('/').at(-1)!}`);
  await expect(phone.locator('body')).toContainText('Genuine and unchanged');
  await stranger.close();

  await page.goto(`/fleets/${usdot}/proof/statements`);
  await expect(page.getByRole('table', { name: 'Statements' })).toContainText('1 statement');
});
