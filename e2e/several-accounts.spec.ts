import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { startFaultyProvider } from '@/testing/tracking/faulty-provider';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { FAULT_NAMES } from '@/testing/tracking/faults';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { startApplication } from './support/application';
import type { Application } from './support/application';
import { collectAnswers, toSaid } from './support/received';
import { createSecretSearch } from './support/secret-search';
import { list } from './support/told';

const FIRST = '9100001';
const SECOND = '9100002';
const UNKNOWN = '9100009';
const SECRETS = [
  { apiKey: 'planted-key-one-5d21', providerToken: 'planted-token-one-77ab' },
  { apiKey: 'planted-key-two-90fe', providerToken: 'planted-token-two-c3d8' },
] as const;
const METRICS_TOKEN = 'metrics-token-of-the-spec';
const [FIRST_UNIT] = createScriptedUnits(1, 41_000);
const [SECOND_UNIT] = createScriptedUnits(1, 42_000);

test.setTimeout(120_000);

let one: FaultyProvider;
let two: FaultyProvider;
let application: Application;
let logFile: string;

test.beforeAll(async ({}, testInfo) => {
  one = await startFaultyProvider({
    account: { companyName: 'Mesa Verde Lines', companyId: 'MVL-1', usdot: FIRST },
    credentials: SECRETS[0],
  });
  two = await startFaultyProvider({
    account: { companyName: 'Cedar Ridge Haulers', companyId: 'CRH-7', usdot: SECOND },
    credentials: SECRETS[1],
  });
  one.give(FIRST, [FIRST_UNIT!]);
  two.give(SECOND, [SECOND_UNIT!]);
  const keyFile = testInfo.outputPath('key-of-the-second');
  writeFileSync(keyFile, `${SECRETS[1].apiKey}\n`, { mode: 0o600 });
  logFile = testInfo.outputPath('application.log');
  application = await startApplication(
    {
      ...one.variables,
      TRACKING_USDOT: FIRST,
      TRACKING_2_BASE_URL: two.baseUrl,
      TRACKING_2_API_KEY_FILE: keyFile,
      TRACKING_2_PROVIDER_TOKEN: SECRETS[1].providerToken,
      TRACKING_2_USDOT: SECOND,
      TRACKING_MAX_BACKOFF_MS: '1000',
      TRACKING_HEADERS_TIMEOUT_MS: '5000',
      TRACKING_TIMEOUT_MS: '6000',
      LOG_LEVEL: 'debug',
      METRICS_TOKEN,
    },
    logFile,
  );
});
test.beforeEach(({ context }) => application.signIn(context));
test.afterAll(async () => {
  await application?.stop();
  await one?.close();
  await two?.close();
});

const switcher = (page: Page) => page.getByRole('banner').getByRole('button', { name: /another fleet/ });
const expectOnly = async (page: Page, shown: string, other: string): Promise<void> => {
  await expect(list(page).getByText(shown, { exact: true })).toBeVisible();
  await expect(list(page).getByText(other, { exact: true })).toBeHidden();
};

test('the first account’s fleet opens, and the others are one key away', async ({ page }) => {
  await page.goto(application.url);
  await expect(page).toHaveURL(new RegExp(`/fleets/${FIRST}`));
  await expectOnly(page, '41000', '42000');
  await expect(switcher(page)).toContainText('Mesa Verde Lines');
  await list(page).getByText('41000', { exact: true }).click();
  await expect(page).toHaveURL(/unit=/);

  await page.keyboard.press('g');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem')).toHaveCount(2);
  await expect(menu.getByRole('menuitem', { name: 'Mesa Verde Lines' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(menu.getByRole('menuitem', { name: 'Cedar Ridge Haulers' })).toContainText(`USDOT ${SECOND}`);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitem', { name: 'Cedar Ridge Haulers' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/fleets/${SECOND}(?!.*unit=)`));
  await expect(switcher(page)).toContainText('Cedar Ridge Haulers');
  await expectOnly(page, '42000', '41000');
  await page.goBack();
  await expectOnly(page, '41000', '42000');
});

test('a roster leads to the roster of the other fleet, also on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${application.url}/fleets/${FIRST}/roster`);
  await expect(page.getByRole('cell', { name: '41000', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  const other = page.getByRole('menuitem', { name: 'Cedar Ridge Haulers' });
  await expect(other).toBeVisible();
  await other.click();
  await expect(page).toHaveURL(`${application.url}/fleets/${SECOND}/roster`);
  await expect(page.getByRole('cell', { name: '42000', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: '41000', exact: true })).toBeHidden();
});

test('a fleet of no account is unknown, and no provider receives a request for it', async ({ page }) => {
  const response = await page.goto(`${application.url}/fleets/${UNKNOWN}`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  const { vin } = FIRST_UNIT!;
  for (const path of ['live', `live/${vin}`, 'roster', `units/${vin}`, `carrier/${vin}`]) {
    const problem = await application.fetch(`/api/fleets/${UNKNOWN}/${path}`);
    expect(problem.status, path).toBe(404);
    expect(await problem.json()).toMatchObject({ code: 'unknown-fleet' });
  }
  expect([...one.asked, ...two.asked].filter(({ subject }) => subject === UNKNOWN)).toEqual([]);
});

test('a unit’s carrier is requested from its own fleet’s provider', async ({ page }) => {
  await page.goto(`${application.url}/fleets/${SECOND}?unit=${SECOND_UNIT!.vin}`);
  await expect(page.getByRole('complementary')).toContainText('MC-123456');
  const asked = ({ asked: requests }: FaultyProvider) =>
    requests.filter(({ resource, subject }) => resource === 'carrier' && subject === SECOND_UNIT!.vin);
  expect(asked(two).length).toBeGreaterThan(0);
  expect(asked(one)).toEqual([]);
});

test('an account whose credentials are refused is reported, and hides no other fleet', async ({ page }) => {
  two.behave(SECOND, 'unauthorized');
  try {
    await page.goto(`${application.url}/fleets/${SECOND}`);
    await expect(
      page.getByText("The tracking provider refuses this server's credentials.").first(),
    ).toBeVisible();
    await switcher(page).click();
    await page.getByRole('menuitem', { name: 'Mesa Verde Lines' }).click();
    await expectOnly(page, '41000', '42000');
    await page.goto(`${application.url}/status`);
    await expect(page.getByRole('article', { name: 'Mesa Verde Lines' })).toContainText('Live.');
    await expect(page.getByRole('article', { name: 'Cedar Ridge Haulers' })).toContainText(
      "The tracking provider refuses this server's credentials.",
    );
    await expect(page.getByText(`Cedar Ridge Haulers, USDOT ${SECOND}, company CRH-7`)).toBeVisible();
    await expect(page.getByText('tracking providers elsewhere, by 2 accounts')).toBeVisible();
  } finally {
    two.behave(SECOND, 'good');
  }
});

for (const { title, faults, details } of [
  {
    title: 'after the faults that repeat secrets',
    faults: FAULT_NAMES.filter((fault) => fault.startsWith('repeatsSecrets')),
    details: {},
  },
  { title: 'after every fault', faults: FAULT_NAMES, details: { tag: '@long' } },
]) {
  const name = `no page, answer, metric or line of the log holds a secret of any account, ${title}`;
  test(name, details, async ({ page, context, request }) => {
    const search = createSecretSearch(
      SECRETS.flatMap(({ apiKey, providerToken }) => [apiKey, providerToken]),
      'driver',
    );
    const readAnswers = collectAnswers(context);
    const paths = [FIRST, SECOND].flatMap((usdot) => {
      const { vin } = (usdot === FIRST ? FIRST_UNIT : SECOND_UNIT)!;
      return ['live', `live/${vin}`, 'roster', `units/${vin}`, `carrier/${vin}`].map(
        (path) => `/api/fleets/${usdot}/${path}`,
      );
    });
    const said: string[] = [];
    const ask = async (path: string): Promise<void> => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}`, cookie: application.cookie };
      // A connection that was idle during a long fault may have just been closed.
      const response = await request.get(`${application.url}${path}`, { headers, maxRetries: 1 });
      said.push((await toSaid(response)).text);
    };
    const open = async (): Promise<void> => {
      for (const path of [`/fleets/${FIRST}`, `/fleets/${SECOND}/roster`, '/status'])
        await page.goto(`${application.url}${path}`);
    };
    for (const fault of faults) {
      one.behave(FIRST, fault);
      two.behave(SECOND, fault);
      for (const provider of [one, two]) {
        provider.behaveForAccount(fault);
        for (const { vin } of [FIRST_UNIT!, SECOND_UNIT!]) provider.behave(vin, fault);
      }
      await Promise.all(paths.map(ask));
      if (fault.startsWith('repeatsSecrets')) await open();
    }
    await Promise.all(['/api/fleets', '/api/status', '/api/health', '/api/carrier', '/metrics'].map(ask));
    said.push(...(await readAnswers()).map(({ text }) => text), readFileSync(logFile, 'utf8'));
    expect(said.join('')).toContain('[hidden]');
    for (const text of said) expect(search.find(text)).toEqual([]);
  });
}
