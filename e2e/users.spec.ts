/** Users from their invitation on: limits, being locked out, a new password, and the audit log of it all. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { toAppCode } from '@/testing/auth/totp';
import { ENDPOINT_NAMES } from '@/lib/api-keys/schema';
import { startMailServer } from '@/testing/mail-server';
import { DEMO_USDOT, startApplication } from './support/application';
import type { Application } from './support/application';
import { findFreePorts } from './support/ports';
import { MANAGER, sendAsPage, signIn } from './support/session';
import { expectLive } from './support/told';

const OTHER_USDOT = '9000066';
const UNKNOWN_USDOT = '9000067';
const EMAIL = 'dana@carrier.test';
const NAME = 'Dana Dispatcher';
const PASSWORD = 'a password that Dana chose';
const NEW_PASSWORD = 'another one that Dana chose';

// One server, from an invitation on: each test continues from the state that the previous one leaves.
test.describe.configure({ mode: 'serial' });
test.setTimeout(120_000);

let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let application: Application;
let manager: Page;
/** Dana's browser. */
let context: BrowserContext;
let dana: Page;

const openContext = (browser: Browser) => browser.newContext({ baseURL: application.url });

test.beforeAll(async ({ browser }, testInfo) => {
  mailServer = await startMailServer();
  const [port] = await findFreePorts(1);
  application = await startApplication(
    {
      ACCOUNTS: 'required',
      DEMO_UNITS: '20',
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      MAIL_FROM: 'Linehaul <fleet@carrier.test>',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    },
    testInfo.outputPath('application.log'),
    port,
  );
  const managers = await openContext(browser);
  await application.signIn(managers);
  manager = await managers.newPage();
  context = await openContext(browser);
  dana = await context.newPage();
});
test.afterAll(async () => {
  await manager?.context().close();
  await context?.close();
  await application?.stop();
  await mailServer?.close();
});

const dialog = (page: Page) => page.getByRole('dialog');
const readLink = (page: Page) => page.getByLabel('link', { exact: true }).innerText();

const openUsers = async (): Promise<void> => {
  await manager.goto('/users');
  await expect(manager.getByRole('row', { name: /\(you\)/ })).toBeVisible();
};

const signInAsDana = async (page: Page, password: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

test('a manager invites a user to one fleet, by a link that is shown once and mailed', async () => {
  await openUsers();
  await manager.getByRole('button', { name: 'Invite a user' }).click();
  await dialog(manager).getByLabel('E-mail address').fill('not an address');
  await dialog(manager).getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await dialog(manager).getByRole('button', { name: 'Make the invitation' }).click();
  const email = dialog(manager).getByLabel('E-mail address');
  await expect(email).toHaveAccessibleDescription('That is not an e-mail address.');
  await expect(email).toBeFocused();
  await expect(dialog(manager).getByLabel('USDOT numbers')).toHaveAccessibleDescription(
    /^Give at least one USDOT number\./,
  );
  await expect(dialog(manager).getByRole('alert')).toBeEmpty();
  await dialog(manager).getByLabel('E-mail address').fill(EMAIL);
  await dialog(manager).getByLabel('USDOT numbers').fill(`0${OTHER_USDOT}`);
  await dialog(manager).getByRole('button', { name: 'Make the invitation' }).click();
  const link = await readLink(manager);
  expect(link).toMatch(new RegExp(`^${application.url}/join#[\\w-]{43}$`));
  await expect.poll(() => mailServer.received.map(({ to }) => to)).toEqual([[EMAIL]]);
  expect(mailServer.received[0]!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(link);
  await dialog(manager).getByRole('button', { name: 'Done' }).click();
  await expect(manager.getByRole('row', { name: new RegExp(EMAIL) })).toContainText(`USDOT ${OTHER_USDOT}`);

  await dana.goto(link);
  await expect(dana.getByText(`You will sign in as ${EMAIL}.`)).toBeVisible();
  await dana.getByRole('textbox', { name: 'Your name' }).fill(NAME);
  await dana.getByLabel(/^Password/).fill('short');
  await dana.getByRole('button', { name: 'Join' }).click();
  await expect(dana.getByText('A password has at least 12 characters.')).toBeVisible();
  await dana.getByLabel(/^Password/).fill(PASSWORD);
  await dana.getByRole('button', { name: 'Join' }).click();
  await expect(dana).not.toHaveURL(/\/join/);

  const again = await context.newPage();
  await again.goto(link);
  await expect(again.getByRole('heading', { name: 'This link is of no use' })).toBeVisible();
  await again.close();
});

test('a user limited to a USDOT number sees no other fleet, and no difference from one that does not exist', async () => {
  const read = async (usdot: string) => {
    await dana.goto(`/fleets/${usdot}`);
    await expect(dana.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
    // The text contains a number of its own, as an example.
    return (await dana.locator('body').innerText()).replace(`“${usdot}”`, 'USDOT');
  };
  expect(await read(DEMO_USDOT)).toBe(await read(UNKNOWN_USDOT));
  const api = async (usdot: string) => {
    const response = await dana.request.get(`/api/fleets/${usdot}/live`);
    return { status: response.status(), body: await response.text() };
  };
  expect(await api(DEMO_USDOT)).toEqual(await api(UNKNOWN_USDOT));
  for (const path of ['/users', '/audit']) expect((await dana.request.get(path)).status()).toBe(404);
  await dana.goto('/users');
  await expect(dana.getByRole('heading', { name: 'No such page' })).toBeVisible();
});

test('other fleets and another role take effect at once in an open page', async () => {
  await openUsers();
  await manager.getByRole('button', { name: `Change ${NAME}` }).click();
  await dialog(manager).getByLabel('Fleets').selectOption('All fleets');
  await dialog(manager).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(manager)).toBeHidden();
  // A change that adds rights ends the user's sessions.
  await dana.goto(`/fleets/${DEMO_USDOT}`);
  await signInAsDana(dana, PASSWORD);
  await expectLive(dana);
  await manager.getByRole('button', { name: `Change ${NAME}` }).click();
  await dialog(manager).getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await dialog(manager).getByLabel('USDOT numbers').fill(OTHER_USDOT);
  await dialog(manager).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(manager)).toBeHidden();
  await expect(dana.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  await manager.getByRole('button', { name: `Change ${NAME}` }).click();
  await dialog(manager).getByLabel('Fleets').selectOption('All fleets');
  await dialog(manager).getByLabel('Role').selectOption('Manager');
  await dialog(manager).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(manager)).toBeHidden();
  await dana.goto('/users');
  await signInAsDana(dana, PASSWORD);
  await expect(dana.getByRole('heading', { name: 'Users' })).toBeVisible();
});

test('an address that a user already has is not invited again, with the reason beside it', async () => {
  await openUsers();
  await manager.getByRole('button', { name: 'Invite a user' }).click();
  const email = dialog(manager).getByLabel('E-mail address');
  await email.fill(EMAIL.toUpperCase());
  await dialog(manager).getByRole('button', { name: 'Make the invitation' }).click();
  await expect(email).toHaveAccessibleDescription(
    'This e-mail address already has an account or an open invitation.',
  );
  await expect(email).toBeFocused();
  await expect(dialog(manager).getByRole('alert')).toBeEmpty();
  await dialog(manager).getByRole('button', { name: 'Cancel' }).click();
});

test('managers cannot remove their own rights', async () => {
  await openUsers();
  await expect(manager.getByRole('button', { name: `Disable ${MANAGER.name}` })).toHaveCount(0);
  await manager.getByRole('button', { name: `Change ${MANAGER.name}` }).click();
  await expect(dialog(manager).getByLabel('Role')).toHaveCount(0);
  await expect(dialog(manager)).toContainText('Another manager has to change your role');
  await dialog(manager).getByRole('button', { name: 'Cancel' }).click();
});

test('before a manager is narrowed or disabled, the dialog lists the keys and links that will be revoked', async () => {
  const make = async (path: string, data: object) => {
    const response = await dana.request.post(path, { data, headers: { origin: application.url } });
    expect(response.ok(), path).toBe(true);
    return (await response.json()) as { token?: string };
  };
  await make('/api/screens', { name: 'Gate wall', usdots: [DEMO_USDOT] });
  const yard = await make('/api/screens', { name: 'Yard wall', usdots: null });
  const access = { endpoints: null, expiresAtMs: null, allowedNetworks: null, requestsPerMinute: null };
  await make('/api/api-keys', { usdot: DEMO_USDOT, name: 'Dispatch software', access });
  await make('/api/ingest-tokens', { usdot: DEMO_USDOT, name: 'Phones' });
  const revoked = dialog(manager)
    .getByRole('region', { name: /^Revoked at once/ })
    .getByRole('listitem');
  const kept = dialog(manager)
    .getByRole('region', { name: /^Keeps working, made by/ })
    .getByRole('listitem');

  await openUsers();
  await manager.getByRole('button', { name: `Change ${NAME}` }).click();
  await expect(revoked.or(kept)).toHaveCount(0);
  await dialog(manager).getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await dialog(manager).getByLabel('USDOT numbers').fill(DEMO_USDOT);
  await expect(revoked).toHaveText(['Wall screen “Yard wall”, all fleets']);
  await expect(kept).toHaveCount(3);
  await dialog(manager).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(manager)).toBeHidden();
  const opened = await sendAsPage(application.url, '/api/screen', { token: yard.token });
  expect(opened.status).toBe(404);

  await manager.getByRole('button', { name: `Disable ${NAME}` }).click();
  await expect(revoked).toHaveText([
    `Wall screen “Gate wall”, USDOT ${DEMO_USDOT}`,
    `API key “Dispatch software”, USDOT ${DEMO_USDOT}`,
    `Ingest token “Phones”, USDOT ${DEMO_USDOT}`,
  ]);
  await expect(kept).toHaveCount(0);
  await dialog(manager).getByRole('button', { name: 'Cancel' }).click();
});

test('a disabled user sees no more data at the next poll, and cannot sign in', async () => {
  await dana.goto(`/fleets/${DEMO_USDOT}`);
  await expectLive(dana);
  await openUsers();
  await manager.getByRole('button', { name: `Disable ${NAME}` }).click();
  await dialog(manager).getByRole('button', { name: 'Disable' }).click();
  await expect(manager.getByRole('row', { name: new RegExp(EMAIL) })).toContainText('Disabled');
  await expect(dana).toHaveURL(/\/sign-in\?next=/);
  await signInAsDana(dana, PASSWORD);
  await expect(dana.getByRole('main').getByRole('alert')).toContainText('No account goes with');
  await manager.getByRole('button', { name: `Enable ${NAME}` }).click();
  await dialog(manager).getByRole('button', { name: 'Enable' }).click();
  await expect(manager.getByRole('row', { name: new RegExp(EMAIL) })).toContainText('Can sign in');
});

test('a new password by a manager’s link invalidates the old one', async () => {
  await manager.getByRole('button', { name: `New password ${NAME}` }).click();
  await dialog(manager).getByRole('button', { name: 'Make the link' }).click();
  const link = await readLink(manager);
  await dialog(manager).getByRole('button', { name: 'Done' }).click();
  await dana.goto(link);
  await dana.getByLabel(/^New password/).fill(NEW_PASSWORD);
  await dana.getByRole('button', { name: 'Change the password' }).click();
  await expect(dana.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();
  await dana.getByRole('link', { name: 'Sign in' }).click();
  await signInAsDana(dana, PASSWORD);
  await expect(dana.getByRole('main').getByRole('alert')).toContainText('No account goes with');
  await signInAsDana(dana, NEW_PASSWORD);
  await expect(dana).not.toHaveURL(/sign-in/);
});

test('a manager removes the second factor of a user who has lost it', async () => {
  const own = `${application.url}/api/account/second-factor`;
  const headers = { origin: application.url };
  const begun = await dana.request.post(own, { headers, data: { password: NEW_PASSWORD } });
  const { uri } = (await begun.json()) as { uri: string };
  const code = toAppCode(uri, Date.now());
  expect((await dana.request.put(own, { headers, data: { code } })).ok()).toBe(true);
  await openUsers();
  const row = manager.getByRole('row', { name: new RegExp(EMAIL) });
  await expect(row).toContainText('Second factor set up');
  await manager.getByRole('button', { name: `Remove second factor ${NAME}` }).click();
  await expect(dialog(manager)).toContainText(`Be sure that it is ${NAME} who asks for this.`);
  await dialog(manager).getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog(manager)).toBeHidden();
  await expect(row).not.toContainText('Second factor set up');
});

/** Address parts that break within, and tables wider than their container. */
const findMisfits = (page: Page, address: string): Promise<string[]> =>
  page.evaluate(
    (pieces) => {
      const misfits: string[] = [];
      for (const table of document.querySelectorAll('table'))
        if (table.parentElement!.scrollWidth > table.parentElement!.clientWidth)
          misfits.push(table.ariaLabel!);
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        if (!pieces.includes(text.textContent!)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1)
          misfits.push(text.textContent!);
      }
      return misfits;
    },
    address.split(/(?<=[@.-])/),
  );

test('an address of the greatest length breaks after its punctuation, and widens no table', async () => {
  const email = 'maximilian.featherstonehaugh-montgomery@northern-intermountain-freight.example.test';
  const invited = await sendAsPage(
    application.url,
    '/api/invitations',
    { email, role: 'manager', usdots: null, days: 7 },
    application.cookie,
  );
  const { link } = (await invited.json()) as { link: string };
  await openUsers();
  const cell = manager.getByRole('cell', { name: new RegExp(email) }).first();
  await expect(cell).toBeVisible();
  expect(await findMisfits(manager, email)).toEqual([]);

  const token = new URL(link).hash.slice(1);
  await sendAsPage(application.url, '/api/join', { token, name: 'Maximilian', password: PASSWORD });
  const cookie = (await signIn(application.url, email, PASSWORD))!;
  const access = {
    endpoints: ENDPOINT_NAMES,
    expiresAtMs: null,
    allowedNetworks: null,
    requestsPerMinute: null,
  };
  const key = { usdot: DEMO_USDOT, name: email, access };
  expect((await sendAsPage(application.url, '/api/api-keys', key, cookie)).ok).toBe(true);
  for (const path of ['/users', '/api-keys']) {
    await manager.goto(path);
    await expect(cell).toBeVisible();
    expect(await findMisfits(manager, email), path).toEqual([]);
  }
});

test('a new password by mail does not reveal which accounts exist', async ({ browser }) => {
  const stranger = await (await openContext(browser)).newPage();
  const before = mailServer.received.length;
  const told: string[] = [];
  for (const email of ['nobody@carrier.test', EMAIL]) {
    await stranger.goto('/sign-in');
    await stranger.getByRole('link', { name: /by mail/ }).click();
    await expect(stranger.getByRole('heading', { name: 'New password' })).toBeVisible();
    await stranger.getByRole('textbox', { name: 'E-mail address' }).fill(email);
    await stranger.getByRole('button', { name: 'Send me a link' }).click();
    await expect(stranger.getByRole('heading', { name: 'Look into your mail' })).toBeVisible();
    told.push((await stranger.locator('main').innerText()).replace(email, 'EMAIL'));
  }
  expect(told[0]).toBe(told[1]);
  await expect.poll(() => mailServer.received.slice(before).map(({ to }) => to)).toEqual([[EMAIL]]);
  await stranger.context().close();
});

test('the audit log records all of it, is filtered and saved', async ({}, testInfo) => {
  await manager.goto('/audit');
  const table = manager.getByRole('table', { name: 'Audit log' });
  await manager.getByRole('searchbox', { name: 'Who' }).fill(EMAIL);
  for (const words of [
    'Invited a user',
    'Took up an invitation',
    'role: dispatcher → manager',
    'Disabled a user',
    'Enabled a user',
    'Made a link to a new password',
    'Chose a new password by a link',
    'Refused',
  ])
    await expect(table).toContainText(words);
  await manager.getByLabel('What').selectOption('Disabled a user');
  await expect(table.getByRole('row')).toHaveCount(2);
  const downloading = manager.waitForEvent('download');
  await manager.getByRole('link', { name: 'Save as CSV' }).click();
  const file = testInfo.outputPath('audit.csv');
  await (await downloading).saveAs(file);
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  expect(head).toBe('time,who,what,on,outcome,address,details');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`${MANAGER.email},user.disable,${EMAIL},done,127.0.0.1`);
  await manager.getByLabel('What').selectOption('Anything');
  await manager.getByLabel('Until').fill('2020-01-01');
  await expect(manager.getByText('No entries match.')).toBeVisible();
  await manager.getByRole('button', { name: 'Show all' }).click();
  await expect(table).toContainText('Exported the audit log');
});
