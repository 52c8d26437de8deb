/** The first run, signing in and out, and the screen when a session ends, against a provider. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { DEMO_USDOT, SESSION_SECRET, startApplication } from './support/application';
import { createDatabase } from './support/databases';
import { findFreePorts } from './support/ports';
import { startProgram, stopProgram, waitForAnswer } from './support/programs';
import { MANAGER, readSetUpCode } from './support/session';
import { expectLive } from './support/told';

const USDOT = '9100001';

// One server, from its first run on: each test continues from the state that the previous one leaves.
test.describe.configure({ mode: 'serial' });
test.setTimeout(90_000);

let provider: FaultyProvider;
let url: string;
let log: string;
let program: ReturnType<typeof startProgram>;

test.beforeAll(async ({}, testInfo) => {
  provider = await startFaultyProvider();
  log = testInfo.outputPath('application.log');
  const [port] = await findFreePorts(1);
  url = `http://127.0.0.1:${port}`;
  program = startProgram(
    'start',
    [],
    {
      ...provider.variables,
      DATABASE_URL: await createDatabase(),
      AUTH_SECRET: SESSION_SECRET,
      MAP_TILES_URL: 'none',
      POLL_INTERVAL_MS: '1000',
      PORT: String(port),
    },
    log,
  );
  await waitForAnswer(`${url}/api/health`, program, log);
});
test.afterAll(async () => {
  if (program) await stopProgram(program);
  await provider?.close();
});

const signIn = async (page: Page, password = MANAGER.password): Promise<void> => {
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(MANAGER.email);
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

test('the first run makes a manager, by the code that the server printed, with the keyboard alone', async ({
  page,
}) => {
  await page.goto(`${url}/fleets/${USDOT}`);
  await expect(page).toHaveURL(`${url}/set-up`);
  await expect(page.getByRole('heading', { name: 'Set up Linehaul' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make the account' })).toBeEnabled();
  await expect(page.getByRole('textbox', { name: 'Code' })).toBeFocused();
  for (const text of ['0000-0000-0000-0000', MANAGER.name, MANAGER.email, 'short']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await page.getByRole('button', { name: 'Make the account' }).press('Enter');
  await expect(page.getByText('A password has at least 12 characters.')).toBeVisible();
  await page.getByLabel(/^Password/).fill(MANAGER.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'That is not the code that the server printed.',
  );
  await page
    .getByRole('textbox', { name: 'Code' })
    .fill((await readSetUpCode(() => readFileSync(log, 'utf8'))).toLowerCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/fleets/${USDOT}`));
  await expectLive(page);
  await page.getByRole('button', { name: `Account: ${MANAGER.name}` }).click();
  await expect(page.getByText(`${MANAGER.name}, ${MANAGER.email}`)).toBeVisible();
});

test('signing in has one message for a wrong password and an unknown address, and leads back to the earlier page', async ({
  page,
}) => {
  const asked = `${url}/fleets/${USDOT}/roster`;
  await page.goto(asked);
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  const words = 'No account goes with this e-mail address and password.';
  await signIn(page, 'not the password');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(words);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeFocused();
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('nobody@linehaul.test');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(words);
  await signIn(page);
  await expect(page).toHaveURL(asked);
  await expect(page.getByRole('heading', { name: 'Roster' })).toBeVisible();
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name.includes('session_token'));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  expect(await page.evaluate('document.cookie')).toBe('');
});

test('signing out leaves no page to come back to, in any window of the browser', async ({
  page,
  context,
}) => {
  await page.goto(`${url}/fleets/${USDOT}`);
  await signIn(page);
  await expectLive(page);
  const other = await context.newPage();
  await other.goto(`${url}/fleets/${USDOT}`);
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
  await expect(other).toHaveURL(/\/sign-in\?next=%2Ffleets%2F9100001/, { timeout: 30_000 });
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('the demo requires a sign-in where other machines can reach it', async ({ page }, testInfo) => {
  const demo = await startApplication(
    { HOSTNAME: '0.0.0.0', DEMO_UNITS: '20' },
    testInfo.outputPath('demo.log'),
  );
  try {
    await page.goto(`${demo.url}/fleets/${DEMO_USDOT}`);
    await expect(page).toHaveURL(`${demo.url}/set-up`);
    await expect(page.getByRole('heading', { name: 'Set up Linehaul' })).toBeVisible();
    for (const path of ['/api/viewer', '/api/status', `/api/fleets/${DEMO_USDOT}/live`])
      expect((await page.request.get(`${demo.url}${path}`)).status(), path).toBe(401);
  } finally {
    await demo.stop();
  }
});
