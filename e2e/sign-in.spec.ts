/**
 * The first run, signing in and out, second factors, a company's own sign-on, a user's sessions and wall screens, with a
 * demo that other machines can reach.
 */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startIdentityProvider,
  type IdentityProvider,
} from '@/testing/auth/identity-provider';
import { toAppCode, toNextCode } from '@/testing/auth/totp';
import { DEMO_USDOT, SESSION_SECRET } from './support/application';
import { expectAccessible } from './support/axe';
import { createDatabase } from './support/databases';
import { expectLive } from './support/fleet-page';
import { LONG } from './support/long';
import { findFreePorts } from '@/testing/ports';
import { startProgram, stopProgram, waitForAnswer } from './support/programs';
import { MANAGER, readSetUpCode, sendAsPage, signIn } from './support/session';

const FLEET = `/fleets/${DEMO_USDOT}`;
const LIVE = `/api/fleets/${DEMO_USDOT}/live`;
/** Time for the next poll of another window. */
const SOON = { timeout: 30_000 };

// One server, from its first run on: each test continues from the state that the previous one leaves.
test.describe.configure({ mode: 'serial' });
test.setTimeout(120_000);

let url: string;
let log: string;
let identities: IdentityProvider;
let program: ReturnType<typeof startProgram>;

test.beforeAll(async ({}, testInfo) => {
  log = testInfo.outputPath('application.log');
  const [port] = await findFreePorts(1);
  url = `http://127.0.0.1:${port}`;
  identities = await startIdentityProvider(`${url}/api/auth/callback/oidc`);
  program = startProgram(
    'start',
    [],
    {
      HOSTNAME: '0.0.0.0',
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: await createDatabase(),
      AUTH_SECRET: SESSION_SECRET,
      DEMO_UNITS: '20',
      MAP_TILES_URL: 'none',
      POLL_INTERVAL_MS: '1000',
      OIDC_ISSUER: identities.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_EMAIL_DOMAINS: 'linehaul.test',
    },
    log,
  );
  await waitForAnswer(`${url}/api/health`, program, log);
});
test.afterAll(async () => {
  if (program) await stopProgram(program);
  await identities?.close();
});

const alert = (page: Page) => page.getByRole('main').getByRole('alert').first();

const enterPassword = async (page: Page, password = MANAGER.password): Promise<void> => {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(MANAGER.email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

const signInByCompany = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign in with your company account' }).click();

test('the first run shows no data, and makes a manager by the printed code with the keyboard alone', async ({
  page,
}) => {
  await page.goto(`${url}${FLEET}`);
  await expect(page).toHaveURL(`${url}/set-up`);
  for (const path of ['/api/viewer', '/api/status', LIVE])
    expect((await page.request.get(`${url}${path}`)).status(), path).toBe(401);
  await expect(page.getByRole('heading', { name: 'Set up Linehaul' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create the user' })).toBeEnabled();
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused();
  for (const text of ['0000-0000-0000-0000', MANAGER.name, MANAGER.email, 'short']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.getByRole('button', { name: 'Create the user' }).press('Enter');
  await expect(page.getByText('A password has at least 12 characters.')).toBeVisible();
  await page.getByLabel(/^Password/).fill(MANAGER.password);
  await page.keyboard.press('Enter');
  await expect(alert(page)).toContainText('That is not the code that the server printed.');
  // The page is closed from here on, also to accessible-company.spec.ts.
  await expectAccessible(page);
  await page
    .getByRole('textbox', { name: 'Code' })
    .fill((await readSetUpCode(() => readFileSync(log, 'utf8'))).toLowerCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(FLEET));
  await expectLive(page);
  await page.getByRole('button', { name: `Account: ${MANAGER.name}` }).click();
  await expect(page.getByText(`${MANAGER.name}, ${MANAGER.email}`)).toBeVisible();
});

test('signing in has one message for each refusal and leads back; signing out leaves no page to come back to', async ({
  page,
  context,
}) => {
  const asked = `${url}${FLEET}/roster`;
  await page.goto(asked);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const text = 'No user has this e-mail address and password.';
  await enterPassword(page, 'not the password');
  await expect(alert(page)).toContainText(text);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeFocused();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('stranger@linehaul.test');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(alert(page)).toContainText(text);
  await enterPassword(page);
  await expect(page).toHaveURL(asked);
  await expect(page.getByRole('heading', { name: 'Roster' })).toBeVisible();
  const [cookie] = (await context.cookies()).filter(({ name }) => name.includes('session_token'));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  // The fleet that was open last is no secret.
  expect(await page.evaluate('document.cookie')).toMatch(/^(linehaul-fleet=\d+)?$/);

  await page.goto(`${url}${FLEET}`);
  await expectLive(page);
  const other = await context.newPage();
  await other.goto(`${url}${FLEET}`);
  await expectLive(other);
  // The map's own poll may notice first: it must not lead the next user back here.
  await page.route('**/api/auth/sign-out', async (route) => {
    const response = await route.fetch();
    await page.waitForResponse((polled) => polled.url().includes('/live') && polled.status() === 401);
    await route.fulfill({ response });
  });
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  // The other window notices with its next poll, and would come back to the fleet.
  await expect(other).toHaveURL(new RegExp(`/sign-in\\?next=${encodeURIComponent(FLEET)}`), SOON);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('signing in where cookies are blocked says so', LONG, async ({ page, context }) => {
  await page.route('**/api/auth/sign-in/email', async (route) => {
    const { 'set-cookie': _, ...headers } = (await route.fetch()).headers();
    await context.clearCookies();
    await route.fulfill({ status: 200, headers, json: { needsSecondFactor: false } });
  });
  await page.goto(`${url}/sign-in`);
  const note = page.getByRole('note').filter({ hasText: 'blocks cookies' });
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await expect(note).toHaveCount(0);
  await enterPassword(page);
  await expect(alert(page)).toContainText('Allow cookies for this site');
  await page.addInitScript(() => Object.defineProperty(navigator, 'cookieEnabled', { value: false }));
  await page.reload();
  await expect(note).toBeVisible();
});

test(
  'a tab on the sign-in form goes on by itself once another tab has signed in',
  LONG,
  async ({ page, context }) => {
    const asked = `${url}${FLEET}/roster`;
    await page.goto(asked);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
    const other = await context.newPage();
    await other.goto(`${url}/sign-in`);
    await enterPassword(other);
    await expect(other).toHaveURL(new RegExp(FLEET));
    await expect(page).toHaveURL(asked);
    await expect(page.getByRole('heading', { name: 'Roster' })).toBeVisible();
  },
);

let appUri: string;
let recoveryCodes: string[];

const setUpSecondFactor = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Set up…' }).click();
  await page.getByLabel(/^Your password/).fill(MANAGER.password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
  const key = await page.getByLabel('Or type this key into the app', { exact: true }).innerText();
  appUri = `otpauth://totp/Linehaul?secret=${key}`;
  recoveryCodes = (await page.getByLabel('Recovery codes', { exact: true }).innerText()).split('\n');
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole('textbox', { name: 'Code from the app' }).fill(toAppCode(appUri, Date.now()));
  await page.getByRole('button', { name: 'Turn the second factor on' }).click();
  await expect(
    page.getByText('After your password, you enter a code from your authenticator app'),
  ).toBeVisible();
};

test(
  'a second factor that is required of managers leads them to its setup before any other page, from an open map as well',
  LONG,
  async ({ page, context }) => {
    await page.goto(`${url}/settings`);
    await enterPassword(page);
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
    const map = await context.newPage();
    await map.goto(`${url}${FLEET}`);
    await expectLive(map);
    await page.bringToFront();
    await page.getByRole('button', { name: 'Require it for managers…' }).click();
    await expect(page.getByRole('dialog')).toContainText('you set it up next');
    await page.getByRole('button', { name: 'Require it', exact: true }).click();
    await expect(page).toHaveURL(`${url}/account`);
    await expect(page.getByText('Set up a second factor first.')).toBeVisible();
    await expect(map).toHaveURL(`${url}/account`, SOON);
    for (const path of ['/api/status', LIVE, '/api/viewer'])
      expect((await page.request.get(`${url}${path}`)).status(), path).toBe(403);
    await setUpSecondFactor(page);
    await page.goto(`${url}${FLEET}`);
    await expectLive(page);
  },
);

test(
  'signing in requires a code of the app and accepts a recovery code in its place once',
  LONG,
  async ({ page }) => {
    await page.goto(`${url}${FLEET}/roster`);
    await enterPassword(page);
    await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.keyboard.press('Enter');
    await expect(alert(page)).toContainText('That code is wrong, or was used before.');
    await page.getByRole('textbox', { name: 'Code' }).fill(toNextCode(appUri));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Roster' })).toBeVisible();

    for (const isFirst of [true, false]) {
      // An open page would leave by itself.
      await page.goto('about:blank');
      await page.context().clearCookies();
      await page.goto(`${url}${FLEET}/roster`);
      await enterPassword(page);
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCodes[0]!);
      await page.keyboard.press('Enter');
      if (isFirst) await expect(page.getByRole('heading', { name: 'Roster' })).toBeVisible();
      else await expect(alert(page)).toContainText('or use a recovery code that is left');
    }
    expect(await signIn(url, MANAGER.email, MANAGER.password), 'a password alone').toBeNull();
    expect((await sendAsPage(url, '/api/auth/sign-in/second-factor', { code: '000000' })).status).toBe(409);
  },
);

/** A wall screen opens the map by its link, changes nothing, and goes dark when it is revoked. */
const useWallScreen = async (page: Page, browser: Browser): Promise<void> => {
  await page.goto(`${url}/screens`);
  await page.getByRole('button', { name: 'Add a screen' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Yard');
  await page.getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await page.getByRole('textbox', { name: 'USDOT numbers' }).fill(DEMO_USDOT);
  await page.getByLabel('Read from').selectOption('hall');
  await page.getByRole('button', { name: 'Add the screen' }).click();
  const link = await page.getByLabel('Link', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  const context = await browser.newContext();
  const wall = await context.newPage();
  await wall.goto(link);
  await expect(wall).toHaveURL(`${url}/screen/${DEMO_USDOT}?distance=hall`);
  await expect(wall.getByText(/^Live · /)).toBeVisible();
  await expect(wall.getByRole('main')).toHaveAttribute('data-distance', 'hall');
  await wall.goto(`${url}${FLEET}`);
  await expect(wall).toHaveURL(`${url}/screen/${DEMO_USDOT}`);
  const headers = { origin: url };
  expect((await context.request.get(`${url}/api/status`)).status()).toBe(403);
  expect((await context.request.get(`${url}/api/account`)).status()).toBe(403);
  for (const [path, status] of [
    ['open-alerts', 200],
    ['alerts', 403],
    ['notes', 403],
    ['contacts', 403],
  ] as const)
    expect((await context.request.get(`${url}/api/fleets/${DEMO_USDOT}/${path}`)).status(), path).toBe(
      status,
    );
  expect((await context.request.get(`${url}/api/fleets/9100002/live`)).status()).toBe(404);
  expect((await context.request.post(`${url}/api/screens`, { headers, data: {} })).status()).toBe(403);

  await page.getByRole('button', { name: 'Revoke Yard' }).click();
  await page.getByRole('button', { name: 'Revoke the screen' }).click();
  await expect(page.getByRole('cell', { name: /^Revoked/ })).toBeVisible();
  await expect(wall).toHaveURL(/\/sign-in\?next=/, SOON);
  await wall.goto(link);
  await expect(wall.getByText('This link opens no wall screen, or does not any more.')).toBeVisible();
  await context.close();
};

/** A user sees their own sessions and ends one, and then all. */
const endSessions = async (page: Page, browser: Browser): Promise<void> => {
  const context = await browser.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' });
  const other = await context.newPage();
  await other.goto(`${url}${FLEET}`);
  await signInByCompany(other);
  await expectLive(other);
  await page.goto(`${url}/account`);
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  await page.getByRole('button', { name: /^Sign out Firefox on Windows/ }).click();
  await expect(other).toHaveURL(/\/sign-in\?next=/, SOON);
  await context.close();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(`${url}/sign-in`);
};

test(
  'a company’s own sign-on admits users with an account, who make wall screens and end sessions',
  LONG,
  async ({ page, browser }) => {
    const person = { sub: 'm', email: MANAGER.email, email_verified: true, name: 'M' };
    identities.person = { ...person, sub: 'x', email: 'stranger@linehaul.test' };
    const asked = `${url}${FLEET}/roster`;
    await page.goto(asked);
    await signInByCompany(page);
    await expect(alert(page)).toContainText('No Linehaul user matches that sign-on.');
    await page.context().clearCookies();
    identities.person = person;
    await page.goto(asked);
    await signInByCompany(page);
    await expect(page).toHaveURL(asked);
    await test.step('a wall screen', () => useWallScreen(page, browser));
    await test.step('sessions', () => endSessions(page, browser));
  },
);
