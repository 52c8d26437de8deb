/**
 * axe on each distinct state of the pages where users sign in and managers administer. accessible.spec.ts says how;
 * sign-in.spec.ts checks the set-up, which only the first run shows.
 */
import pg from 'pg';
import type { Page } from '@playwright/test';
import { toAppCode } from '@/testing/auth/totp';
import { openDialog } from './support/dialog';
import { DEMO_USDOT, type Application } from './support/application';
import { DIALOG, expectAccessible, expectAccessibleLayouts } from './support/axe';
import { companyTest as test, expect } from './support/fixtures';
import { tabTo } from './support/keyboard';
import { readLiveUnits } from './support/live-fleet';
import { makeStay } from './support/proof';
import { MANAGER, addSession, sendAsPage, signIn } from './support/session';
import { removeSites } from './support/sites';

const PASSWORD = 'a password that Ada chose';

test.setTimeout(120_000);

const dialog = (page: Page) => page.getByRole('dialog');
const closeDialog = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
};

/** Adds a user by an invitation; returns a session of theirs. */
const addUser = async ({ url, cookie }: Application, name: string, role: string): Promise<string> => {
  const email = `${name.toLowerCase()}@carrier.test`;
  const user = { email, role, usdots: null, tags: null, days: 7 };
  const invited = await sendAsPage(url, '/api/invitations', user, cookie);
  const { link } = (await invited.json()) as { link: string };
  await sendAsPage(url, '/api/join', { token: new URL(link).hash.slice(1), name, password: PASSWORD });
  return (await signIn(url, email, PASSWORD))!;
};

test('axe finds nothing on the pages without a session', async ({ page, context }) => {
  await context.clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('stranger@carrier.test');
  await page.getByLabel(/^Password/).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('No user has this');
  await expectAccessible(page);
  await page.goto('/sign-in/forgotten');
  await expect(page.getByRole('heading', { name: 'New password' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('stranger@carrier.test');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/screen#no-such-link');
  await expect(page.getByText('This link opens no wall screen, or does not any more.')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/join#no-such-link');
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on a page that does not exist, the status page and the audit log', async ({
  page,
  company,
}) => {
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'No such page' })).toBeVisible();
  await expectAccessible(page);
  await company.application.fetch(`/api/fleets/${DEMO_USDOT}/live`);
  await page.goto('/status');
  await expect(page.getByRole('article', { name: 'Prairie Star Freight' })).toContainText('Live');
  await expectAccessibleLayouts(page);
  await page.goto('/audit');
  await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(1)).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on the users, from an invitation to a new password', async ({
  page,
  browser,
  company: { application },
}) => {
  const { url } = application;
  await page.goto('/users');
  await openDialog(page.getByRole('button', { name: 'Invite a user' }));
  await dialog(page).getByLabel('E-mail address').fill('not an address');
  await dialog(page).getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await dialog(page).getByRole('button', { name: 'Create the invitation' }).click();
  await expect(dialog(page).getByLabel('E-mail address')).toHaveAccessibleDescription(/not an e-mail/);
  await expectAccessible(page, DIALOG);
  await dialog(page).getByLabel('E-mail address').fill('guest@carrier.test');
  await dialog(page).getByLabel('Fleets').selectOption('All fleets');
  await dialog(page).getByRole('button', { name: 'Create the invitation' }).click();
  const link = await page.getByLabel('link', { exact: true }).innerText();
  await expectAccessible(page, DIALOG);
  await dialog(page).getByRole('button', { name: 'Done' }).click();

  const context = await browser.newContext({ baseURL: url });
  const guest = await context.newPage();
  await guest.goto(`/join${new URL(link).hash}`);
  await guest.getByRole('textbox', { name: 'Your name' }).fill('Guest');
  await guest.getByLabel(/^Password/).fill('short');
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(guest.getByText('A password has at least 12 characters.')).toBeVisible();
  await expectAccessible(guest);

  const session = await addUser(application, 'Ada', 'manager');
  for (const [name, usdots] of [
    ['Hall screen', [DEMO_USDOT]],
    ['Dock screen', null],
  ] as const)
    expect((await sendAsPage(url, '/api/screens', { name, usdots }, session)).ok).toBe(true);
  await page.reload();
  await openDialog(page.getByRole('button', { name: 'Change Ada' }));
  await dialog(page).getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await dialog(page).getByLabel('USDOT numbers').fill(DEMO_USDOT);
  await expect(dialog(page).getByRole('region', { name: /^Revoked at once/ })).toBeVisible();
  await expectAccessible(page, DIALOG);
  await closeDialog(page);
  await page.getByRole('button', { name: 'New password Ada' }).click();
  await dialog(page).getByRole('button', { name: 'Create the link' }).click();
  const reset = await page.getByLabel('link', { exact: true }).innerText();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await guest.goto(`/reset${new URL(reset).hash}`);
  await expect(guest.getByLabel(/^New password/)).toBeVisible();
  await expectAccessible(guest);
  await context.close();
  await page.getByRole('button', { name: 'Disable Ada' }).click();
  await expectAccessible(page, DIALOG);
  await dialog(page).getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('row', { name: /ada@carrier/ })).toContainText('Disabled');
  await expectAccessibleLayouts(page);
});

test('axe finds nothing on the devices, their dialogs and an import', async ({ page }) => {
  await page.goto('/devices');
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await expectAccessible(page);
  await openDialog(page.getByRole('button', { name: /^Change / }).first());
  await page.getByLabel('Device ID').fill('x'.repeat(201));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Device ID')).toHaveAccessibleDescription(/^Is longer than/);
  await expectAccessible(page, DIALOG);
  await closeDialog(page);
  await page
    .getByRole('button', { name: /^Connect a phone to / })
    .first()
    .click();
  await page.getByLabel('Address of this server').fill('http://fleet.test:3000');
  await page.getByRole('button', { name: 'Show the code' }).click();
  await expect(page.getByRole('img', { name: /^QR code for Traccar/ })).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Import a file' }).click();
  for (const [vin, part] of [
    ['NOVIN', 'Errors'],
    ['1XKYD49X8KJ900001', 'Added'],
  ] as const) {
    const buffer = Buffer.from(`vin,truck_number\r\n${vin},1`);
    await page
      .getByLabel('Excel workbook or CSV file')
      .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer });
    await expect(page.getByRole('region', { name: part })).toBeVisible();
    await expectAccessible(page, DIALOG);
  }
});

test('axe finds nothing on the API keys and their dialogs', async ({ page }) => {
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Add a key' }).click();
  for (const endpoint of await page.getByRole('checkbox').all()) await endpoint.uncheck();
  await page.getByRole('button', { name: 'Add the key' }).click();
  await expect(page.getByRole('group', { name: 'Endpoints' })).toHaveAccessibleDescription(/./);
  await expectAccessible(page, DIALOG);
  for (const endpoint of await page.getByRole('checkbox').all()) await endpoint.check();
  await page.getByLabel('Name').fill('depot');
  await page.getByRole('button', { name: 'Add the key' }).click();
  await expect(page.getByRole('dialog', { name: 'Copy the key and its token' })).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'depot' })).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on the settings and their dialogs', async ({ page }) => {
  await page.goto('/settings');
  await openDialog(page.getByRole('button', { name: 'Change… Bad VIN' }));
  await page.getByLabel('Raised after', { exact: true }).fill('never');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Raised after', { exact: true })).toHaveAccessibleDescription(/^Give/);
  await expectAccessible(page, DIALOG);
  await page.getByLabel('Raised after', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(dialog(page)).toBeHidden();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Default… Bad VIN' }).click();
  await expectAccessible(page, DIALOG);
  await closeDialog(page);
  await page.getByRole('button', { name: 'Require it for managers…' }).click();
  await expectAccessible(page, DIALOG);
});

test('axe finds nothing on a document that is mailed', async ({
  page,
  request,
  company: { application },
}) => {
  const fleet = { application, usdot: DEMO_USDOT };
  const [unit] = (await readLiveUnits(request, DEMO_USDOT)).filter(({ hasPosition }) => hasPosition);
  const at = { lat: 45.6, lng: -120.1 };
  const siteId = await makeStay(fleet, { name: 'Acme Arlington', unit: unit!.key, at });
  await page.goto(`/fleets/${DEMO_USDOT}/sites/${siteId}`);
  await page.getByRole('button', { name: 'Statement about truck' }).click();
  await page.getByRole('button', { name: 'Issue statement' }).click();
  await page.getByRole('button', { name: 'Mail…' }).click();
  await dialog(page).getByLabel('E-mail address').fill('kim@');
  await dialog(page).getByRole('button', { name: 'Send' }).click();
  await expect(dialog(page).locator('[aria-invalid=true]')).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.goto(`/fleets/${DEMO_USDOT}/proof`);
  await page
    .getByRole('button', { name: /^Mail document / })
    .first()
    .click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page, DIALOG);
  await removeSites(fleet);
});

test('axe finds nothing on the wall screens', async ({ page }) => {
  await page.goto('/screens');
  await openDialog(page.getByRole('button', { name: 'Add a screen' }));
  await page.getByRole('textbox', { name: 'Name' }).fill('Lobby');
  await page.getByRole('button', { name: 'Add the screen' }).click();
  await expect(page.getByLabel('Link', { exact: true })).toBeVisible();
  await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke Lobby' }).click();
  await page.getByRole('button', { name: 'Revoke the screen' }).click();
  await expect(page.getByRole('cell', { name: /^Revoked/ }).first()).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on the account page, the second factor and the second step of signing in', async ({
  page,
  context,
  company: { application },
}) => {
  await context.clearCookies();
  await addSession(context, application.url, await addUser(application, 'Bea', 'dispatcher'));
  await page.goto('/account');
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Set up…' }).click();
  await page.getByLabel(/^Your password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
  await expectAccessible(page);
  const secret = await page.getByLabel('Or type this key into the app', { exact: true }).innerText();
  const code = toAppCode(`otpauth://totp/Linehaul?secret=${secret}`, Date.now());
  await page.getByRole('textbox', { name: 'Code from the app' }).fill(code);
  await page.getByRole('button', { name: 'Turn the second factor on' }).click();
  await expect(
    page.getByText('After your password, you enter a code from your authenticator app'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Remove…' }).click();
  await expect(page.getByRole('button', { name: 'Remove the second factor' })).toBeVisible();
  await expectAccessible(page);
  await context.clearCookies();
  await page.goto('/sign-in');
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('bea@carrier.test');
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on the choice of a fleet source and its forms', async ({ page }) => {
  await page.goto('/fleet-source');
  await expect(page.getByRole('button', { name: 'Keep looking around' })).toBeVisible();
  await expectAccessibleLayouts(page);
  await page.getByRole('button', { name: 'Connect a provider' }).click();
  await page.getByLabel('Base URL').fill('http://127.0.0.1:9');
  await page.getByRole('textbox', { name: 'API key' }).fill('key');
  await page.getByRole('textbox', { name: 'Provider token' }).fill('token');
  await page.getByRole('button', { name: 'Test and connect' }).click();
  await expect(page.getByLabel('Base URL')).toHaveAccessibleDescription(
    /127\.0\.0\.1:9 does not answer as a tracking API/,
  );
  await expect(page.getByLabel('Base URL')).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Track my own trucks' }).click();
  await expect(page.getByLabel('Carrier name')).toBeFocused();
  await expectAccessible(page);
});

/** As if the schedules had been set yesterday, and a server looked now for what is due. */
const makeDue = async ({ databaseUrl }: Application): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query('UPDATE linehaul.handover_mails SET sent_ms = 0');
    await client.query(`UPDATE linehaul_jobs.job SET start_after = now() WHERE name = 'handover-due'`);
  } finally {
    await client.end();
  }
};

test('a user sets by keyboard when the handover is mailed, gets it, and stops it; axe finds nothing on the form', async ({
  page,
  company: { application, mailServer },
}) => {
  const open = page.getByRole('button', { name: 'Mail me this' });
  const form = dialog(page);
  const [time, zone] = [form.getByLabel('Time', { exact: true }), form.getByLabel('Time zone')];
  const [saturday, sunday] = ['Saturday', 'Sunday'].map((name) => form.getByRole('button', { name }));
  const hours = form.getByLabel(/^It lists/);
  const save = form.getByRole('button', { name: 'Save' });
  const show = async (): Promise<void> => {
    await page.goto(`/fleets/${DEMO_USDOT}/handover`);
    await expect(page.getByRole('region', { name: 'What changed' })).toBeVisible();
  };
  await show();
  await page.emulateMedia({ media: 'print' });
  await expect(open).toBeHidden();
  await page.emulateMedia({ media: 'screen' });

  await open.focus();
  await page.keyboard.press('Enter');
  await expect(form.getByText(`To ${MANAGER.email}`)).toBeVisible();
  await expect(time).toHaveValue('06:00');
  await expect(zone).toHaveValue('America/Chicago');
  await tabTo(page, time);
  // Midnight, in the three parts of the field.
  await page.keyboard.type('1200A');
  // The browser's own button in the field, whose focus the page cannot see.
  await page.keyboard.press('Tab');
  await tabTo(page, saturday!);
  await page.keyboard.press('Space');
  await tabTo(page, sunday!);
  await page.keyboard.press('Enter');
  await tabTo(page, zone);
  await page.keyboard.type('Pacific');
  await tabTo(page, hours);
  await page.keyboard.press('ArrowDown');
  await tabTo(page, save);
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect(open).toBeFocused();

  await makeDue(application);
  const readMails = () =>
    mailServer.received.filter(({ text }) => text.includes('Subject: What changed since'));
  await expect.poll(() => readMails().length, { timeout: 90_000 }).toBe(1);
  const [{ to, text }] = readMails() as [(typeof mailServer.received)[0]];
  expect(to).toEqual([MANAGER.email]);
  expect(text.replaceAll('=\r\n', '')).toContain(`${application.url}/fleets/${DEMO_USDOT}/handover`);

  await show();
  await openDialog(open);
  await expect(time).toHaveValue('00:00');
  await expect(sunday!).toHaveAttribute('aria-pressed', 'true');
  await expect(zone).toHaveValue('America/Los_Angeles');
  await expect(hours).toHaveValue('48');
  for (const day of await form.getByRole('button', { name: /day$/ }).all()) await day.click();
  await save.click();
  await expect(form.getByText('Choose a weekday.')).toBeVisible();
  await expectAccessible(page, DIALOG);
  await form.getByRole('checkbox').uncheck();
  await save.click();
  await expect(form).toBeHidden();
  await openDialog(open);
  await expect(time).toHaveValue('06:00');
  await expectAccessible(page, DIALOG);
  await closeDialog(page);
  await expectAccessibleLayouts(page);

  await page.route(/\/handover\/mail\?/, (route) => route.fulfill({ json: { mail: null, email: null } }));
  await show();
  await open.click();
  await expect(form.getByText('This server has no mail server yet')).toBeVisible();
  await expectAccessible(page, DIALOG);
});
