import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { FaultyProvider } from '@/testing/tracking/faulty-provider';
import { FAULT_NAMES } from '@/testing/tracking/faults';
import { createScriptedUnits } from '@/testing/tracking/scripted-units';
import { expect, twoAccountsTest as test } from './support/fixtures';
import { list } from './support/fleet-page';
import { LONG } from './support/long';
import { collectAnswers, toReceivedText } from './support/received';
import { createSecretSearch } from './support/secret-search';
import { ACCOUNTS, METRICS_TOKEN } from './support/shared';

const [{ usdot: FIRST }, { usdot: SECOND }] = [ACCOUNTS[0].account, ACCOUNTS[1].account];
const UNKNOWN = '9100009';
const [FIRST_UNIT] = createScriptedUnits(1, 41_000);
const [SECOND_UNIT] = createScriptedUnits(1, 42_000);

test.setTimeout(120_000);

test.beforeAll(({ twoAccounts: { one, two } }) => {
  one.give(FIRST, [FIRST_UNIT!]);
  two.give(SECOND, [SECOND_UNIT!]);
});

const switcher = (page: Page) => page.getByRole('banner').getByRole('button', { name: /another fleet/ });
const expectOnly = async (page: Page, shown: string, other: string): Promise<void> => {
  await expect(list(page).getByText(shown, { exact: true })).toBeVisible();
  await expect(list(page).getByText(other, { exact: true })).toBeHidden();
};

test('the first account’s fleet opens, and the others are one key away', async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(new RegExp(`/fleets/${FIRST}`));
  await expectOnly(page, '41000', '42000');
  await expect(switcher(page)).toContainText('Mesa Verde Lines');
  await list(page).getByText('41000', { exact: true }).click();
  await expect(page).toHaveURL(/unit=/);
  await expect(page.getByRole('heading', { name: 'Truck 41000' })).toBeVisible();

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

test('a roster leads to the roster of the other fleet, also on a phone', LONG, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/fleets/${FIRST}/roster`);
  await expect(page.getByRole('cell', { name: '41000', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Menu' }).click();
  const other = page.getByRole('menuitem', { name: 'Cedar Ridge Haulers' });
  await expect(other).toBeVisible();
  await other.click();
  await expect(page).toHaveURL(`/fleets/${SECOND}/roster`);
  await expect(page.getByRole('cell', { name: '42000', exact: true })).toBeVisible();
  await expect(page.getByRole('cell', { name: '41000', exact: true })).toBeHidden();
});

test('a fleet of no account is unknown, and no provider receives a request for it', async ({
  page,
  twoAccounts: { application, one, two },
}) => {
  const response = await page.goto(`/fleets/${UNKNOWN}`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  const { vin } = FIRST_UNIT!;
  for (const path of ['live', `live/${vin}`, 'roster', `units/${vin}`, `carrier/${vin}`]) {
    const problem = await application.fetch(`/api/fleets/${UNKNOWN}/${path}`);
    expect(problem.status, path).toBe(404);
    expect(await problem.json()).toMatchObject({ code: 'unknown-fleet' });
  }
  expect([...one.received, ...two.received].filter(({ subject }) => subject === UNKNOWN)).toEqual([]);
});

test('a unit’s carrier is requested from its own fleet’s provider', async ({
  page,
  twoAccounts: { one, two },
}) => {
  await page.goto(`/fleets/${SECOND}?unit=${SECOND_UNIT!.vin}`);
  await expect(page.getByRole('complementary')).toContainText('MC-123456');
  const asked = ({ received: requests }: FaultyProvider) =>
    requests.filter(({ resource, subject }) => resource === 'carrier' && subject === SECOND_UNIT!.vin);
  expect(asked(two).length).toBeGreaterThan(0);
  expect(asked(one)).toEqual([]);
});

test(
  'an account whose credentials are refused is reported, and hides no other fleet',
  LONG,
  async ({ page, twoAccounts: { two } }) => {
    two.behave(SECOND, 'unauthorized');
    try {
      await page.goto(`/fleets/${SECOND}`);
      await expect(
        page.getByText("The tracking provider refuses this server's credentials.").first(),
      ).toBeVisible();
      await switcher(page).click();
      await page.getByRole('menuitem', { name: 'Mesa Verde Lines' }).click();
      await expectOnly(page, '41000', '42000');
      await page.goto(`/status`);
      await expect(page.getByRole('article', { name: 'Mesa Verde Lines' })).toContainText('Live.');
      await expect(page.getByRole('article', { name: 'Cedar Ridge Haulers' })).toContainText(
        "The tracking provider refuses this server's credentials.",
      );
      await expect(page.getByText(`Cedar Ridge Haulers, USDOT ${SECOND}, company CRH-7`)).toBeVisible();
      await expect(page.getByText('external tracking providers, with 2 accounts')).toBeVisible();
    } finally {
      two.behave(SECOND, 'good');
    }
  },
);

for (const { title, faults } of [
  {
    title: 'after the faults that repeat secrets',
    faults: FAULT_NAMES.filter((fault) => fault.startsWith('repeatsSecrets')),
  },
  { title: 'after every fault', faults: FAULT_NAMES },
]) {
  const name = `no page, answer, metric or line of the log holds a secret of any account, ${title}`;
  test(name, LONG, async ({ page, context, request, twoAccounts }) => {
    const { application, one, two, logFile } = twoAccounts;
    const search = createSecretSearch(
      ACCOUNTS.flatMap(({ credentials }) => Object.values(credentials)),
      'driver',
    );
    const readAnswers = collectAnswers(context);
    const paths = [FIRST, SECOND].flatMap((usdot) => {
      const { vin } = (usdot === FIRST ? FIRST_UNIT : SECOND_UNIT)!;
      return ['live', `live/${vin}`, 'roster', `units/${vin}`, `carrier/${vin}`].map(
        (path) => `/api/fleets/${usdot}/${path}`,
      );
    });
    const texts: string[] = [];
    const ask = async (path: string): Promise<void> => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}`, cookie: application.cookie };
      const response = await request.get(path, { headers });
      texts.push((await toReceivedText(response)).text);
    };
    const open = async (): Promise<void> => {
      for (const path of [`/fleets/${FIRST}`, `/fleets/${SECOND}/roster`, '/status'])
        await page.goto(`${path}`);
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
    texts.push(...(await readAnswers()).map(({ text }) => text), readFileSync(logFile, 'utf8'));
    expect(texts.join('')).toContain('[hidden]');
    for (const text of texts) expect(search.find(text)).toEqual([]);
  });
}
