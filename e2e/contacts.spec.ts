/** Whom to call about a truck: who is named, how a number is called, and how a call is noted. The number of clicks is in each title. */
import type { Page } from '@playwright/test';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { DIALOG, expectAccessible, expectAccessibleLayouts } from './support/axe';
import { openDialog } from './support/dialog';
import { expect, oneAccountTest as test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { sendAsPage } from './support/session';
import type { OneAccount } from './support/shared';

const USDOT = '9100071';
const UNITS = createScriptedUnits(4);
const ANN = {
  ...{ driver: 'Ann Lee', driverPhone: '(512) 555-0123', secondDriver: '', secondDriverPhone: '' },
  ...{ dispatcher: '', dispatcherPhone: '(512) 555-0199', text: 'Sleeps until 2 PM' },
};
/** Time for a few polls on a busy machine. */
const SOON = { timeout: 40_000 };

test.setTimeout(120_000);

/** Gives the first two trucks contacts. */
const setContacts = async ({ application: { url, cookie } }: OneAccount): Promise<void> => {
  for (const { vin } of UNITS.slice(0, 2)) {
    const body = { unit: vin, ...ANN };
    const { status } = await sendAsPage(url, `/api/fleets/${USDOT}/contacts`, body, cookie, 'PUT');
    expect(status).toBe(204);
  }
};

/** Opens a fleet whose first truck has left the list of active trucks, and gives that truck contacts. */
const openSilent = async (page: Page, oneAccount: OneAccount) => {
  const { provider } = oneAccount;
  provider.give(USDOT, UNITS);
  const fleet = createFleetPage(page);
  await fleet.open(USDOT);
  await expect(fleet.options).toHaveCount(UNITS.length, SOON);
  provider.give(USDOT, UNITS.slice(1));
  await expect(fleet.counter('Silent')).toContainText('1', SOON);
  await setContacts(oneAccount);
  await fleet.open(USDOT);
  await expect(fleet.options.first()).toContainText(/vanished/i);
  return fleet;
};

test('the driver of the longest silent truck is called in 2 clicks at a desk, or by keys, and the call noted by a third', async ({
  page,
  context,
  oneAccount,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const fleet = await openSilent(page, oneAccount);
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await fleet.options.first().click();
  await expect(fleet.panel.getByRole('heading', { name: 'Silent: what to do' })).toBeVisible();
  await fleet.panel.getByRole('button', { name: 'Copy the number of Ann Lee, (512) 555-0123' }).click();
  expect(await readClipboard()).toBe('(512) 555-0123');
  await fleet.panel.getByRole('button', { name: 'Left message' }).click();
  await expect(fleet.panel.getByRole('list', { name: 'Notes' })).toContainText(
    /Called \d{1,2}:\d\d [AP]M, left message: Ann Lee/,
  );
  await expect(fleet.options.first()).toContainText(/Called .*left message/);
  await expect(fleet.panel.getByRole('button', { name: 'Left message', exact: true })).toBeDisabled();
  await fleet.panel.getByLabel('Who was called').selectOption('Dispatcher');
  await fleet.panel.getByRole('button', { name: 'Spoke', exact: true }).click();
  await expect(fleet.panel.getByRole('list', { name: 'Notes' })).toContainText(/spoke: the dispatcher/);
  await fleet.panel.getByRole('button', { name: 'Undo' }).click();
  await expect(fleet.panel.getByRole('list', { name: 'Notes' }).getByRole('listitem')).toHaveCount(1);
  await fleet.panel.getByLabel('Who was called').selectOption('Ann Lee');
  await expectAccessibleLayouts(page);

  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.keyboard.press('c');
  await expect(fleet.panel.getByRole('button', { name: /^Copy the number of Ann Lee/ })).toBeFocused();
  await expect.poll(readClipboard).toBe('(512) 555-0123');
  // The number of the dispatcher, and who was called, come first.
  for (let i = 0; i < 3; i++) await page.keyboard.press('Tab');
  await expect(fleet.panel.getByRole('button', { name: 'No answer', exact: true })).toBeFocused();

  await fleet.search.fill('lee 555-0123');
  await expect(fleet.options).toHaveCount(2);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('a number is a link that calls, beside one that writes', async ({ page, oneAccount }) => {
    oneAccount.provider.give(USDOT, UNITS);
    const fleet = createFleetPage(page);
    await setContacts(oneAccount);
    await fleet.open(USDOT, `?unit=${UNITS[1]!.vin}`);
    const call = fleet.panel.getByRole('link', { name: 'Call Ann Lee, (512) 555-0123' });
    await expect(call).toHaveAttribute('href', 'tel:+15125550123');
    await expect(fleet.panel.getByRole('link', { name: 'Text Ann Lee' })).toHaveAttribute(
      'href',
      'sms:+15125550123',
    );
    await expect(fleet.panel.getByRole('button', { name: /^Copy the number/ })).toBeHidden();
  });
});

test('contacts are entered in the panel and on the page of the vehicle, a number without an area code is refused, and a file is imported on the roster', async ({
  page,
  oneAccount: { provider },
}) => {
  const usdot = '9100072';
  provider.give(usdot, UNITS);
  const fleet = createFleetPage(page);
  await fleet.open(usdot);
  await fleet.options.first().click();
  await openDialog(fleet.panel.getByRole('button', { name: 'Add contacts' }));
  await page.getByLabel('Driver', { exact: true }).fill('Bo');
  await page.getByLabel('Driver’s phone', { exact: true }).fill('555-0123');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByLabel('Driver’s phone', { exact: true })).toHaveAccessibleDescription(/area code/);
  await expectAccessible(page, DIALOG);
  await page.getByLabel('Driver’s phone', { exact: true }).fill('512.555.0123');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(fleet.panel.getByRole('list', { name: 'Whom to call' })).toContainText('(512) 555-0123');

  const vin = new URL(page.url()).searchParams.get('unit')!;
  await page.goto(`/fleets/${usdot}/units/${vin}`);
  await openDialog(page.getByRole('button', { name: 'Change contacts' }));
  await page.getByLabel('Good to know').fill('Night shift');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Night shift')).toBeVisible();

  await page.goto(`/fleets/${usdot}/roster`);
  await openDialog(page.getByRole('button', { name: 'Import contacts' }));
  await page.getByLabel('Excel workbook or CSV file').setInputFiles({
    name: 'drivers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`VIN,Driver,Driver phone\n${vin},Cy,(512) 555-0177\n1XKYD49X0KJ999998,Al,\n`),
  });
  await expect(page.getByText('Ready to import: 0 to add, 1 to change, 0 unchanged.')).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Import 1 truck' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await createFleetPage(page).search.fill('555-0177');
  await expect(page.getByRole('row').filter({ hasText: vin })).toBeVisible();
});
