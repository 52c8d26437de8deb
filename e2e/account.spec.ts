/** Second factors, OpenID Connect sign-in, the user's own sessions and wall screens, against a provider. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { CLIENT_ID, CLIENT_SECRET, startIdentityProvider } from '@/testing/auth/identity-provider';
import type { IdentityProvider } from '@/testing/auth/identity-provider';
import { toAppCode, toNextCode } from '@/testing/auth/totp';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { startApplication } from './support/application';
import type { Application } from './support/application';
import { findFreePorts } from './support/ports';
import { MANAGER, sendAsPage, signIn } from './support/session';
import { expectLive } from './support/told';

const USDOT = '9100001';

// One server: each test continues from the state that the previous one leaves.
test.describe.configure({ mode: 'serial' });
test.setTimeout(90_000);

let provider: FaultyProvider;
let identities: IdentityProvider;
let application: Application;
let url: string;
let appUri: string;
let recoveryCodes: string[];

test.beforeAll(async ({}, testInfo) => {
  provider = await startFaultyProvider();
  const [port] = await findFreePorts(1);
  url = `http://127.0.0.1:${port}`;
  identities = await startIdentityProvider(`${url}/api/auth/callback/oidc`);
  application = await startApplication(
    {
      ...provider.variables,
      PUBLIC_URL: url,
      REQUIRE_SECOND_FACTOR: 'managers',
      OIDC_ISSUER: identities.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_EMAIL_DOMAINS: 'linehaul.test',
    },
    testInfo.outputPath('application.log'),
    port,
  );
});
test.afterAll(async () => {
  await application?.stop();
  await identities?.close();
  await provider?.close();
});

const enterPassword = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(MANAGER.email);
  await page.getByLabel('Password', { exact: true }).fill(MANAGER.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

test('a manager who needs a second factor is led to its setup before any other page', async ({ page }) => {
  await page.goto(`${url}/fleets/${USDOT}`);
  await enterPassword(page);
  await expect(page).toHaveURL(`${url}/account`);
  await expect(page.getByText('Set up a second factor first.')).toBeVisible();
  for (const path of ['/api/status', `/api/fleets/${USDOT}/live`, '/api/viewer'])
    expect((await page.request.get(`${url}${path}`)).status(), path).toBe(403);
  await page.getByRole('button', { name: 'Set up…' }).click();
  await page.getByLabel(/^Your password/).fill(MANAGER.password);
  await page.getByRole('button', { name: 'Go on' }).click();
  await expect(page.getByRole('img', { name: 'QR code for an authenticator app' })).toBeVisible();
  const key = await page.getByLabel('Or type this key into the app', { exact: true }).innerText();
  appUri = `otpauth://totp/Linehaul?secret=${key}`;
  recoveryCodes = (await page.getByLabel('Recovery codes', { exact: true }).innerText()).split('\n');
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole('textbox', { name: 'Code of the app' }).fill(toAppCode(appUri, Date.now()));
  await page.getByRole('button', { name: 'Turn the second factor on' }).click();
  await expect(page.getByText('Signing in asks for a code of your authenticator app')).toBeVisible();
  await page.goto(`${url}/fleets/${USDOT}`);
  await expectLive(page);
});

test('signing in requires a code of the app and accepts a recovery code in its place once', async ({
  page,
}) => {
  await page.goto(`${url}/fleets/${USDOT}`);
  await enterPassword(page);
  await expect(page.getByRole('heading', { name: 'Enter the code' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Code' }).fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'That code is wrong, or was used before.',
  );
  await page.getByRole('textbox', { name: 'Code' }).fill(toNextCode(appUri));
  await page.keyboard.press('Enter');
  await expectLive(page);

  for (const isFirst of [true, false]) {
    // An open map would navigate by itself.
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.goto(`${url}/fleets/${USDOT}`);
    await enterPassword(page);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCodes[0]!);
    await page.keyboard.press('Enter');
    if (isFirst) await expectLive(page);
    else
      await expect(page.getByRole('main').getByRole('alert')).toContainText(
        'or use a recovery code that is left',
      );
  }
});

test('a company’s own sign-on admits users with an account and explains its refusals', async ({ page }) => {
  const person = { sub: 'm', email: MANAGER.email, email_verified: true, name: 'M' };
  identities.person = { ...person, sub: 'x', email: 'stranger@linehaul.test' };
  const asked = `${url}/fleets/${USDOT}/roster`;
  await page.goto(asked);
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  await expect(page.getByRole('main').getByRole('alert').first()).toContainText(
    'No account here goes with that sign-on.',
  );
  await page.context().clearCookies();
  identities.person = person;
  await page.goto(asked);
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  await expect(page).toHaveURL(asked);
});

test('a user sees their own sessions and ends one', async ({ page, browser }) => {
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  const context = await browser.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' });
  const other = await context.newPage();
  await other.goto(`${url}/fleets/${USDOT}`);
  await other.getByRole('button', { name: 'Sign in with your company account' }).click();
  await expectLive(other);
  await page.reload();
  await page.getByRole('button', { name: /^Sign out Firefox on Windows/ }).click();
  await expect(other).toHaveURL(/\/sign-in\?next=/, { timeout: 30_000 });
  await context.close();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(`${url}/sign-in`);
});

test('a wall screen opens the map by its link, changes nothing, and goes dark when it is revoked', async ({
  page,
  browser,
}) => {
  await page.goto(`${url}/screens`);
  await page.getByRole('button', { name: 'Sign in with your company account' }).click();
  await page.getByRole('button', { name: 'Add a screen' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Yard');
  await page.getByLabel('Fleets').selectOption('Only these USDOT numbers');
  await page.getByRole('textbox', { name: 'USDOT numbers' }).fill(USDOT);
  await page.getByRole('button', { name: 'Make the screen' }).click();
  const link = await page.getByLabel('Link', { exact: true }).innerText();
  await page.getByRole('button', { name: 'Done' }).click();

  const context = await browser.newContext();
  const wall = await context.newPage();
  await wall.goto(link);
  await expect(wall).toHaveURL(new RegExp(`/fleets/${USDOT}`));
  await expectLive(wall);
  const headers = { origin: url };
  expect((await context.request.get(`${url}/api/status`)).status()).toBe(403);
  expect((await context.request.get(`${url}/api/account`)).status()).toBe(403);
  expect((await context.request.get(`${url}/api/fleets/9100002/live`)).status()).toBe(404);
  expect((await context.request.post(`${url}/api/screens`, { headers, data: {} })).status()).toBe(403);

  await page.getByRole('button', { name: 'Revoke Yard' }).click();
  await page.getByRole('button', { name: 'Revoke the screen' }).click();
  await expect(page.getByRole('cell', { name: /^Revoked/ })).toBeVisible();
  await expect(wall).toHaveURL(/\/sign-in\?next=/, { timeout: 30_000 });
  await wall.goto(link);
  await expect(wall.getByText('This link opens no wall screen, or does not any more.')).toBeVisible();
  await context.close();
});

test('a password alone no longer signs in', async () => {
  expect(await signIn(url, MANAGER.email, MANAGER.password)).toBeNull();
  expect((await sendAsPage(url, '/api/auth/sign-in/second-factor', { code: '000000' })).status).toBe(409);
});
