/** Users from their invitation on: limits, being locked out, a new password, and the audit log of it all. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { toAppCode } from '@/testing/auth/totp';
import { ENDPOINT_NAMES } from '@/lib/api-keys/schema';
import { openDialog } from './support/dialog';
import { DEMO_USDOT } from './support/application';
import { companyTest as test, expect } from './support/fixtures';
import { MANAGER, addSession, sendAsPage, signIn } from './support/session';
import type { Company } from './support/shared';

const OTHER_USDOT = '9000066';
const EMAIL = 'dana@carrier.test';
const NAME = 'Dana Dispatcher';
const PASSWORD = 'a password that Dana chose';
const NEW_PASSWORD = 'another one that Dana chose';

/** One long journey. */
test.setTimeout(300_000);

const dialog = (page: Page) => page.getByRole('dialog');
const readLink = (page: Page) => page.getByLabel('link', { exact: true }).innerText();
const rowOf = (page: Page) => page.getByRole('row', { name: new RegExp(EMAIL) });

const openUsers = async (manager: Page): Promise<void> => {
  await manager.goto('/users');
  await expect(manager.getByRole('row', { name: /\(you\)/ })).toBeVisible();
};

/** Makes a change to Dana in the dialog, and saves it. */
const changeUser = async (manager: Page, change: () => Promise<void>): Promise<void> => {
  await manager.getByRole('button', { name: `Change ${NAME}` }).click();
  await change();
  await dialog(manager).getByRole('button', { name: 'Save' }).click();
  await expect(dialog(manager)).toBeHidden();
};

/** Whatever the age of the data, on a busy machine. */
const expectUnits = (page: Page): Promise<void> =>
  expect(page.getByRole('option').first()).toBeVisible({ timeout: 45_000 });

const signInAsDana = async (page: Page, password: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(EMAIL);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

const invite = async (manager: Page, { application, mailServer }: Company): Promise<string> => {
  await openDialog(manager.getByRole('button', { name: 'Invite a user' }));
  const email = dialog(manager).getByLabel('E-mail address');
  await email.fill('not an address');
  await dialog(manager).getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await dialog(manager).getByRole('button', { name: 'Create the invitation' }).click();
  await expect(email).toHaveAccessibleDescription('That is not an e-mail address.');
  await expect(email).toBeFocused();
  await expect(dialog(manager).getByLabel('USDOT numbers')).toHaveAccessibleDescription(
    /^Give at least one USDOT number\./,
  );
  await expect(dialog(manager).getByRole('alert')).toBeEmpty();
  await email.fill(EMAIL);
  await dialog(manager).getByLabel('USDOT numbers').fill(`0${OTHER_USDOT}`);
  const mailed = mailServer.received.length;
  await dialog(manager).getByRole('button', { name: 'Create the invitation' }).click();
  const link = await readLink(manager);
  expect(link).toMatch(new RegExp(`^${application.url}/join#[\\w-]{43}$`));
  await expect.poll(() => mailServer.received.slice(mailed).map(({ to }) => to)).toEqual([[EMAIL]]);
  expect(mailServer.received[mailed]!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(link);
  await dialog(manager).getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(manager)).toContainText(`USDOT ${OTHER_USDOT}`);
  return link;
};

const join = async (dana: Page, link: string): Promise<void> => {
  await dana.goto(link);
  await expect(dana.getByText(`You will sign in as ${EMAIL}.`)).toBeVisible();
  await dana.getByRole('textbox', { name: 'Your name' }).fill(NAME);
  await dana.getByLabel(/^Password/).fill('short');
  await dana.getByRole('button', { name: 'Join' }).click();
  await expect(dana.getByText('A password has at least 12 characters.')).toBeVisible();
  await dana.getByLabel(/^Password/).fill(PASSWORD);
  await dana.getByRole('button', { name: 'Join' }).click();
  await expect(dana).not.toHaveURL(/\/join/);
  const again = await dana.context().newPage();
  await again.goto(link);
  await expect(again.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await again.close();
};

const changeRights = async (manager: Page, dana: Page): Promise<void> => {
  await dana.goto('/users');
  await expect(dana.getByRole('heading', { name: 'No such page' })).toBeVisible();
  // The list of users still has the invitation.
  await openUsers(manager);
  const setFleets = (text: string) => dialog(manager).getByLabel('Fleets').selectOption(text);
  await changeUser(manager, async () => void (await setFleets('All fleets')));
  // A change that adds rights ends the user's sessions.
  await dana.goto(`/fleets/${DEMO_USDOT}`);
  await signInAsDana(dana, PASSWORD);
  await expectUnits(dana);
  await changeUser(manager, async () => {
    await setFleets('Only these USDOT numbers');
    await dialog(manager).getByLabel('USDOT numbers').fill(OTHER_USDOT);
  });
  await expect(dana.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  await changeUser(manager, async () => {
    await setFleets('All fleets');
    await dialog(manager).getByLabel('Role').selectOption('Manager');
  });
  await dana.goto('/users');
  await signInAsDana(dana, PASSWORD);
  await expect(dana.getByRole('heading', { name: 'Users' })).toBeVisible();
};

const meetRefusals = async (manager: Page): Promise<void> => {
  await openDialog(manager.getByRole('button', { name: 'Invite a user' }));
  const email = dialog(manager).getByLabel('E-mail address');
  await email.fill(EMAIL.toUpperCase());
  await dialog(manager).getByRole('button', { name: 'Create the invitation' }).click();
  await expect(email).toHaveAccessibleDescription(
    'There is already a user or an open invitation with this e-mail address.',
  );
  await expect(email).toBeFocused();
  await expect(dialog(manager).getByRole('alert')).toBeEmpty();
  await dialog(manager).getByRole('button', { name: 'Cancel' }).click();
  await expect(manager.getByRole('button', { name: `Disable ${MANAGER.name}` })).toHaveCount(0);
  await manager.getByRole('button', { name: `Change ${MANAGER.name}` }).click();
  await expect(dialog(manager).getByLabel('Role')).toHaveCount(0);
  await expect(dialog(manager)).toContainText('Another manager has to change your role');
  await dialog(manager).getByRole('button', { name: 'Cancel' }).click();
};

/** A narrower scope and disabling revoke what the user made; the dialog lists it first. */
const loseWhatWasMade = async (manager: Page, dana: Page, url: string): Promise<void> => {
  const make = async (path: string, data: object) => {
    const response = await dana.request.post(path, { data, headers: { origin: url } });
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
    .getByRole('region', { name: /^Keeps working, created by/ })
    .getByRole('listitem');

  await changeUser(manager, async () => {
    await expect(revoked.or(kept)).toHaveCount(0);
    await dialog(manager).getByLabel('Fleets').selectOption('Only these USDOT numbers');
    await dialog(manager).getByLabel('USDOT numbers').fill(DEMO_USDOT);
    await expect(revoked).toHaveText(['Wall screen “Yard wall”, all fleets']);
    await expect(kept).toHaveCount(3);
  });
  const opened = await sendAsPage(url, '/api/screen', { token: yard.token });
  expect(opened.status).toBe(404);
  await manager.getByRole('button', { name: `Disable ${NAME}` }).click();
  await expect(revoked).toHaveText([
    `Wall screen “Gate wall”, USDOT ${DEMO_USDOT}`,
    `API key “Dispatch software”, USDOT ${DEMO_USDOT}`,
    `Ingest token “Phones”, USDOT ${DEMO_USDOT}`,
  ]);
  await expect(kept).toHaveCount(0);
  await dialog(manager).getByRole('button', { name: 'Cancel' }).click();
};

const disableAndEnable = async (manager: Page, dana: Page): Promise<void> => {
  await dana.goto(`/fleets/${DEMO_USDOT}`);
  await expectUnits(dana);
  await manager.getByRole('button', { name: `Disable ${NAME}` }).click();
  await dialog(manager).getByRole('button', { name: 'Disable' }).click();
  await expect(rowOf(manager)).toContainText('Disabled');
  // At its next poll.
  await expect(dana).toHaveURL(/\/sign-in\?next=/);
  await signInAsDana(dana, PASSWORD);
  await expect(dana.getByRole('main').getByRole('alert')).toContainText('No user has this');
  await manager.getByRole('button', { name: `Enable ${NAME}` }).click();
  await dialog(manager).getByRole('button', { name: 'Enable' }).click();
  await expect(rowOf(manager)).toContainText('Can sign in');
};

const resetPassword = async (manager: Page, dana: Page): Promise<void> => {
  await manager.getByRole('button', { name: `New password ${NAME}` }).click();
  await dialog(manager).getByRole('button', { name: 'Create the link' }).click();
  const link = await readLink(manager);
  await dialog(manager).getByRole('button', { name: 'Done' }).click();
  await dana.goto(link);
  await dana.getByLabel(/^New password/).fill(NEW_PASSWORD);
  await dana.getByRole('button', { name: 'Change the password' }).click();
  await expect(dana.getByRole('heading', { name: 'Your password is changed' })).toBeVisible();
  await dana.getByRole('link', { name: 'Sign in' }).click();
  await signInAsDana(dana, PASSWORD);
  await expect(dana.getByRole('main').getByRole('alert')).toContainText('No user has this');
  await signInAsDana(dana, NEW_PASSWORD);
  await expect(dana).not.toHaveURL(/sign-in/);
};

const loseSecondFactor = async (manager: Page, dana: Page, url: string): Promise<void> => {
  const own = `${url}/api/account/second-factor`;
  const headers = { origin: url };
  const begun = await dana.request.post(own, { headers, data: { password: NEW_PASSWORD } });
  const { uri } = (await begun.json()) as { uri: string };
  const code = toAppCode(uri, Date.now());
  expect((await dana.request.put(own, { headers, data: { code } })).ok()).toBe(true);
  await openUsers(manager);
  await expect(rowOf(manager)).toContainText('Second factor set up');
  await manager.getByRole('button', { name: `Remove second factor ${NAME}` }).click();
  await expect(dialog(manager)).toContainText(`Be sure that it is ${NAME} who asks for this.`);
  await dialog(manager).getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog(manager)).toBeHidden();
  await expect(rowOf(manager)).not.toContainText('Second factor set up');
};

/** The answer to a stranger's address is the one to Dana's, who alone gets a mail. */
const resetByMail = async (browser: Browser, { application, mailServer }: Company): Promise<void> => {
  const context = await browser.newContext({ baseURL: application.url, storageState: undefined });
  const stranger = await context.newPage();
  const before = mailServer.received.length;
  const shown: string[] = [];
  await stranger.goto('/sign-in');
  await stranger.getByRole('link', { name: /^E-mail me a link/ }).click();
  for (const email of ['stranger@carrier.test', EMAIL]) {
    await expect(stranger.getByRole('heading', { name: 'New password' })).toBeVisible();
    await stranger.getByRole('textbox', { name: 'E-mail address' }).fill(email);
    await stranger.getByRole('button', { name: 'Send me a link' }).click();
    await expect(stranger.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
    shown.push((await stranger.locator('main').innerText()).replace(email, 'EMAIL'));
    await stranger.goto('/sign-in/forgotten');
  }
  expect(shown[0]).toBe(shown[1]);
  await expect.poll(() => mailServer.received.slice(before).map(({ to }) => to)).toEqual([[EMAIL]]);
  await context.close();
};

const readAuditLog = async (manager: Page, file: string): Promise<void> => {
  await manager.goto('/audit');
  const table = manager.getByRole('table', { name: 'Audit log' });
  await manager.getByRole('searchbox', { name: 'Who' }).fill(EMAIL);
  for (const text of [
    'Invited a user',
    'Took up an invitation',
    'role: dispatcher → manager',
    'Disabled a user',
    'Enabled a user',
    'Made a link to a new password',
    'Chose a new password by a link',
    'Refused',
  ])
    await expect(table).toContainText(text);
  await manager.getByLabel('What').selectOption('Disabled a user');
  await expect(table.getByRole('row')).toHaveCount(2);
  const downloading = manager.waitForEvent('download');
  await manager.getByRole('link', { name: 'Save as CSV' }).click();
  await (await downloading).saveAs(file);
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\r\n');
  expect(head).toBe('\uFEFFtime,who,what,on,outcome,address,details');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`${MANAGER.email},user.disable,${EMAIL},done,127.0.0.1`);
  await manager.getByLabel('What').selectOption('Anything');
  await manager.getByLabel('Until').fill('2020-01-01');
  await expect(manager.getByText('No entries match.')).toBeVisible();
  await manager.getByRole('button', { name: 'Show all' }).click();
  await expect(table).toContainText('Exported the audit log');
};

test('a user joins, gets other rights, is locked out and let in again, and the audit log has it all', async ({
  page: manager,
  browser,
  company,
}, testInfo) => {
  const { url } = company.application;
  const context = await browser.newContext({ baseURL: url });
  const dana = await context.newPage();
  await openUsers(manager);
  const link = await test.step('a link, shown once and mailed, invites a user', () =>
    invite(manager, company));
  await test.step('the user joins by the link, once', () => join(dana, link));
  await test.step('other fleets and another role take effect at once in an open page', () =>
    changeRights(manager, dana));
  await test.step('a known address and a change to oneself are refused', () => meetRefusals(manager));
  await test.step('the dialog lists the keys and links that will be revoked', () =>
    loseWhatWasMade(manager, dana, url));
  await test.step('a disabled user sees no more data, and cannot sign in', () =>
    disableAndEnable(manager, dana));
  await test.step('a manager’s link to a new password invalidates the old one', () =>
    resetPassword(manager, dana));
  await test.step('a manager removes the second factor of a user who has lost it', () =>
    loseSecondFactor(manager, dana, url));
  await test.step('a new password by mail does not reveal which accounts exist', () =>
    resetByMail(browser, company));
  await test.step('the audit log is filtered and saved', () =>
    readAuditLog(manager, testInfo.outputPath('audit.csv')));
  await context.close();
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

test('a user is limited to the units with some tags, and sees no pages of the whole fleet', async ({
  page,
  browser,
  company: { application },
}) => {
  const { url, cookie } = application;
  const email = 'partner@carrier.test';
  const live = await (await browser.newContext({ baseURL: url })).newPage();
  await openUsers(page);
  await openDialog(page.getByRole('button', { name: 'Invite a user' }));
  await dialog(page).getByLabel('E-mail address').fill(email);
  await dialog(page).getByLabel('Trucks').selectOption('Only trucks with one of these tags');
  await dialog(page).getByRole('button', { name: 'Create the invitation' }).click();
  await expect(dialog(page).getByLabel('Tags')).toHaveAccessibleDescription(/Give at least one tag\./);
  await dialog(page).getByLabel('Tags').fill('Flatbeds, night shift');
  await dialog(page).getByRole('button', { name: 'Create the invitation' }).click();
  await expect(dialog(page).getByLabel('Tags')).toHaveAccessibleDescription(
    /No truck has the tag flatbeds\./,
  );
  const roster = await application.fetch(`/api/fleets/${DEMO_USDOT}/roster`);
  const { vins } = (await roster.json()) as { vins: string[] };
  const changeTag = (change: object) => sendAsPage(url, `/api/fleets/${DEMO_USDOT}/tags`, change, cookie);
  for (const tag of ['flatbeds', 'night shift'])
    expect((await changeTag({ change: 'add', tag, units: vins.slice(0, 3) })).ok).toBe(true);
  await dialog(page).getByRole('button', { name: 'Create the invitation' }).click();
  const token = new URL(await readLink(page)).hash.slice(1);
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: new RegExp(email) })).toContainText(
    'Only trucks tagged flatbeds or night shift',
  );
  await sendAsPage(url, '/api/join', { token, name: 'Partner', password: PASSWORD });
  const own = (await signIn(url, email, PASSWORD))!;
  await addSession(live.context(), url, own);
  await live.goto(`/fleets/${DEMO_USDOT}`);
  await expect(live.getByRole('option')).toHaveCount(3, { timeout: 45_000 });
  await expect(live.getByRole('link', { name: 'Roster' })).toBeVisible();
  await expect(live.getByRole('link', { name: 'Handover' })).toHaveCount(0);
  await live.goto(`/fleets/${DEMO_USDOT}/sites`);
  await expect(live.getByText('No sites yet')).toBeVisible();
  await expect(live.getByRole('button', { name: /Add|Import|Suggested/ })).toHaveCount(0);
  await live.context().close();
  for (const tag of ['flatbeds', 'night shift']) await changeTag({ change: 'delete', tag });
});

test('an address of the greatest length breaks after its punctuation, and widens no table', async ({
  page,
  company: { application },
}) => {
  const { url, cookie } = application;
  const email = 'maximilian.featherstonehaugh-montgomery@northern-intermountain-freight.example.test';
  const user = { email, role: 'manager', usdots: null, tags: null, days: 7 };
  const invited = await sendAsPage(url, '/api/invitations', user, cookie);
  const { link } = (await invited.json()) as { link: string };
  await openUsers(page);
  const cell = page.getByRole('cell', { name: new RegExp(email) }).first();
  await expect(cell).toBeVisible();
  expect(await findMisfits(page, email)).toEqual([]);

  const token = new URL(link).hash.slice(1);
  await sendAsPage(url, '/api/join', { token, name: 'Maximilian', password: PASSWORD });
  const access = {
    endpoints: ENDPOINT_NAMES,
    expiresAtMs: null,
    allowedNetworks: null,
    requestsPerMinute: null,
  };
  const key = { usdot: DEMO_USDOT, name: email, access };
  const own = (await signIn(url, email, PASSWORD))!;
  expect((await sendAsPage(url, '/api/api-keys', key, own)).ok).toBe(true);
  for (const path of ['/users', '/api-keys']) {
    await page.goto(path);
    await expect(cell).toBeVisible();
    expect(await findMisfits(page, email), path).toEqual([]);
  }
});
