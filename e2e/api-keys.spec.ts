/** API keys as a manager makes them, used with curl as a program would. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';
import { DEMO_USDOT, startApplication } from './support/application';
import type { Application } from './support/application';
import { MANAGER } from './support/session';

const run = promisify(execFile);

test.describe.configure({ mode: 'serial' });
test.setTimeout(120_000);

let application: Application;
test.beforeAll(async ({}, testInfo) => {
  const variables = { ACCOUNTS: 'required', DEMO_UNITS: '20' };
  application = await startApplication(variables, testInfo.outputPath('application.log'));
});
test.afterAll(() => application?.stop());
test.beforeEach(({ context }) => application.signIn(context));

interface Secrets {
  apiKey: string;
  providerToken: string;
}

/** Sends a request by curl; returns the status, the headers and the body. */
const curl = async (path: string, { apiKey, providerToken }: Secrets) => {
  const { stdout } = await run('curl', [
    ...['-sS', '-i', `${application.url}/tracking${path}`],
    ...['-H', `x-api-key: ${apiKey}`, '-H', `provider-token: ${providerToken}`],
  ]);
  const [head = '', body = ''] = stdout.split('\r\n\r\n', 2);
  const headers = new Headers(
    head
      .split('\r\n')
      .slice(1)
      .map((line): [string, string] => [line.split(':', 1)[0]!, line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(head.split(' ')[1]), headers, body };
};

const codeOf = (body: string): string => (JSON.parse(body) as { code: string }).code;

const readSecrets = async (page: Page): Promise<Secrets> => {
  const read = async (label: string) => (await page.getByLabel(label, { exact: true }).textContent())!;
  return { apiKey: await read('API key'), providerToken: await read('Provider token') };
};

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name });

const save = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: action, exact: true }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
};

const FIVE = (vin: string): string[] => [
  `/api/units/${DEMO_USDOT}`,
  `/api/units/${DEMO_USDOT}/${vin}`,
  `/api/vin-numbers/${DEMO_USDOT}`,
  '/api/carrier',
  `/api/carrier/${vin}`,
];

let secrets: Secrets;
let vin: string;

test('a key is made under More, shown once, and opens the five endpoints', async ({ page }) => {
  await page.goto(`${application.url}/status`);
  await page.goto(`${application.url}/api-keys`);
  await expect(page.getByRole('heading', { name: 'API Keys' })).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'API Keys' })).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a key' }).click();
  await page.getByRole('button', { name: 'Add the key' }).click();
  await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/^Is empty\./);
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByRole('dialog').getByRole('alert')).toBeEmpty();
  for (const endpoint of await page.getByRole('checkbox').all()) await endpoint.uncheck();
  await page.getByRole('button', { name: 'Add the key' }).click();
  await expect(page.getByRole('group', { name: 'Endpoints' })).toHaveAccessibleDescription(/./);
  for (const endpoint of await page.getByRole('checkbox').all()) await endpoint.check();
  await page.getByLabel('Name').fill(`yard <b>'); --`);
  await page.getByRole('button', { name: 'Add the key' }).click();
  await expect(page.getByRole('dialog', { name: 'Copy the key and its token' })).toBeVisible();
  secrets = await readSecrets(page);
  const ready = (await page.getByLabel('Try it', { exact: true }).textContent())!;
  const { stdout } = await run('sh', ['-c', ready.replace('curl ', 'curl -sS ')]);
  expect(JSON.parse(stdout)).toMatchObject({ usdot: DEMO_USDOT });
  await page.getByRole('button', { name: 'Done' }).click();
  const row = rowOf(page, 'yard');
  await expect(row).toContainText(`yard <b>'); --`);
  await expect(row).toContainText(`${secrets.apiKey.slice(0, 13)}…`);
  await expect(row).toContainText(MANAGER.email);
  await expect(row).toContainText('No limits');
  for (const secret of Object.values(secrets)) expect(await page.content()).not.toContain(secret);
  const vins = JSON.parse((await curl(`/api/vin-numbers/${DEMO_USDOT}`, secrets)).body) as string[];
  vin = vins[0]!;
  for (const path of FIVE(vin)) expect([path, (await curl(path, secrets)).status]).toEqual([path, 200]);
  await page.reload();
  await expect(row).not.toContainText('Never');
});

test('a key limited to an endpoint and addresses is refused elsewhere, with a reason', async ({ page }) => {
  await page.goto(`${application.url}/api-keys`);
  await page.getByRole('button', { name: /^Change yard/ }).click();
  for (const words of ['All active units', 'One unit', 'VINs of the fleet', 'The carrier of a VIN'])
    await page.getByRole('checkbox', { name: words }).uncheck();
  await save(page, 'Save');
  await expect(rowOf(page, 'yard')).toContainText('The carrier of the key');
  for (const path of FIVE(vin)) {
    const { status, body } = await curl(path, secrets);
    expect([path, status]).toEqual([path, path === '/api/carrier' ? 200 : 403]);
    if (status === 403) expect(codeOf(body)).toBe('endpoint_not_allowed');
  }
  await page.getByRole('button', { name: /^Change yard/ }).click();
  await page.getByLabel('Allowed addresses').fill('203.0.113.0/33');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByLabel('Allowed addresses')).toHaveAccessibleDescription(/^Is no address/);
  await page.getByLabel('Allowed addresses').fill('203.0.113.0/24');
  await save(page, 'Save');
  const refused = await curl('/api/carrier', secrets);
  expect([refused.status, codeOf(refused.body)]).toEqual([403, 'address_not_allowed']);
  expect(refused.body).toContain('from 127.0.0.1');
});

test('a key is limited to its requests per minute', async ({ page }) => {
  await page.goto(`${application.url}/api-keys`);
  await page.getByRole('button', { name: /^Change yard/ }).click();
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8');
  await page.getByLabel('Requests per minute').fill('2');
  await save(page, 'Save');
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await curl('/api/carrier', secrets));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+$/);
  expect(answers[2]!.headers.get('ratelimit-policy')).toBe('"key";q=2;w=60');
  expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
  await page.getByRole('button', { name: /^Change yard/ }).click();
  await page.getByLabel('Requests per minute').fill('');
  await save(page, 'Save');
});

test('a key is rotated with an overlap, and revoked at once', async ({ page }) => {
  await page.goto(`${application.url}/api-keys`);
  await page.getByRole('button', { name: /^Rotate yard/ }).click();
  await page.getByRole('button', { name: 'Make new secrets' }).click();
  await expect(page.getByRole('dialog', { name: 'Copy the key and its token' })).toBeVisible();
  const newer = await readSecrets(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, 'yard')).toContainText('Old secrets work until');
  for (const each of [secrets, newer]) expect((await curl('/api/carrier', each)).status).toBe(200);
  await page.getByRole('button', { name: /^Rotate yard/ }).click();
  await page.getByLabel('The old ones').selectOption('End at once');
  await page.getByRole('button', { name: 'Make new secrets' }).click();
  await expect(page.getByRole('dialog', { name: 'Copy the key and its token' })).toBeVisible();
  const newest = await readSecrets(page);
  await page.getByRole('button', { name: 'Done' }).click();
  for (const each of [secrets, newer]) {
    const { status, body } = await curl('/api/carrier', each);
    expect([status, codeOf(body)]).toEqual([401, 'expired_key']);
  }
  expect((await curl('/api/carrier', newest)).status).toBe(200);
  await page.getByRole('button', { name: /^Revoke yard/ }).click();
  await save(page, 'Revoke the key');
  await expect(rowOf(page, 'yard')).toContainText('Revoked');
  const { status, body } = await curl('/api/carrier', newest);
  expect([status, codeOf(body)]).toEqual([401, 'invalid_credentials']);
});
