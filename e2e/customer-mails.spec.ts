/** Mails to the customer in the form of a load, where a server can send them. */
import type { Page } from '@playwright/test';
import { DEMO_USDOT } from './support/application';
import { DIALOG, expectAccessible } from './support/axe';
import { companyTest as test, expect } from './support/fixtures';
import { sendAsPage } from './support/session';

test.setTimeout(240_000);

const LOADS = `/api/fleets/${DEMO_USDOT}/loads`;

test.afterEach(async ({ company: { application } }) => {
  const { loads } = (await (await application.fetch(LOADS)).json()) as {
    loads: { id: number; reference: string }[];
  };
  for (const { id, reference } of loads)
    if (reference.startsWith('cm-'))
      await sendAsPage(application.url, `${LOADS}/${id}`, {}, application.cookie, 'DELETE');
});

const openMore = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^More:/ })
    .press('Enter');

test('whom mails go to, about what and in which language is chosen by keyboard, kept, and changed', async ({
  page,
  company: { application },
}) => {
  await page.goto(`/fleets/${DEMO_USDOT}/loads`);
  await page.getByRole('button', { name: 'New load' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Load number').fill('cm-1');
  await dialog.getByRole('combobox', { name: 'From', exact: true }).fill('32.7, -96.8');
  await dialog.getByRole('combobox', { name: 'To', exact: true }).fill('36.1, -95.9');
  await openMore(page);
  const mails = dialog.locator('[name="mails.addresses"]');
  await expect(mails).toBeEnabled();
  // An address without a choice gets all of them.
  for (const name of ['Picked up', 'Delivered', 'Will be late'])
    await expect(dialog.getByLabel(name, { exact: true })).toBeChecked();
  await mails.press('Home');
  await page.keyboard.type('dock@customer, buyer@customer.test');
  await page.keyboard.press('Tab');
  await expect(dialog.getByLabel('Picked up', { exact: true })).toBeFocused();
  await page.keyboard.press('Space');
  // Delivered, will be late, and free time, which is not chosen by itself.
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab');
  await expect(dialog.getByLabel('Language of the mails')).toBeFocused();
  await page.keyboard.type('fr');
  await dialog.getByRole('button', { name: 'Add the load' }).press('Enter');
  await expect(dialog).toContainText('Not an e-mail address: dock@customer.');
  await expect(mails).toBeFocused();
  await expectAccessible(page, DIALOG);
  await mails.fill('dock@customer.test, buyer@customer.test');
  await mails.press('Enter');
  await expect(dialog).toBeHidden();

  await page.getByRole('link', { name: 'cm-1' }).first().click();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await openMore(page);
  await expect(mails).toHaveValue('dock@customer.test, buyer@customer.test');
  await expect(dialog.getByLabel('Picked up', { exact: true })).not.toBeChecked();
  await expect(dialog.getByLabel('Will be late', { exact: true })).toBeChecked();
  await expect(dialog.getByLabel('Language of the mails')).toHaveValue('fr');
  await expectAccessible(page, DIALOG);
  await mails.fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  const { loads } = (await (await application.fetch(LOADS)).json()) as {
    loads: { id: number; reference: string }[];
  };
  const { id } = loads.find(({ reference }) => reference === 'cm-1')!;
  expect(await (await application.fetch(`${LOADS}/${id}/mails`)).json()).toMatchObject({
    ...{ addresses: [], ended: [], canMail: true },
  });
});
