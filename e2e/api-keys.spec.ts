/** API keys as a manager makes them, used with curl as a program would. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import { openDialog } from './support/dialog';
import { DEMO_USDOT } from './support/application';
import { companyTest as test, expect } from './support/fixtures';
import { MANAGER } from './support/session';

const run = promisify(execFile);

test.setTimeout(120_000);

interface Secrets {
  apiKey: string;
  providerToken: string;
}

/** Sends a request by curl; returns the status, the headers and the body. */
const curl = async (url: string, path: string, { apiKey, providerToken }: Secrets) => {
  const { stdout } = await run('curl', [
    ...['-sS', '-i', `${url}/tracking${path}`],
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

type Ask = (path: string, secrets: Secrets) => ReturnType<typeof curl>;

const makeKey = async (page: Page, ask: Ask): Promise<{ secrets: Secrets; vin: string }> => {
  await page.goto('/api-keys');
  await expect(page.getByRole('heading', { name: 'API keys' })).toBeVisible();
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'API keys' })).toHaveAttribute('aria-current', 'page');
  await page.keyboard.press('Escape');
  await openDialog(page.getByRole('button', { name: 'Add a key' }));
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
  const secrets = await readSecrets(page);
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
  const vins = JSON.parse((await ask(`/api/vin-numbers/${DEMO_USDOT}`, secrets)).body) as string[];
  const vin = vins[0]!;
  for (const path of FIVE(vin)) expect([path, (await ask(path, secrets)).status]).toEqual([path, 200]);
  await page.reload();
  await expect(row).not.toContainText('Never');
  return { secrets, vin };
};

const limitEndpointsAndAddresses = async (
  page: Page,
  ask: Ask,
  secrets: Secrets,
  vin: string,
): Promise<void> => {
  await openDialog(page.getByRole('button', { name: /^Change yard/ }));
  for (const name of ['All active units', 'One unit', 'VINs of the fleet', 'The carrier of a VIN'])
    await page.getByRole('checkbox', { name: name }).uncheck();
  await save(page, 'Save');
  await expect(rowOf(page, 'yard')).toContainText('The carrier of the key');
  for (const path of FIVE(vin)) {
    const { status, body } = await ask(path, secrets);
    expect([path, status]).toEqual([path, path === '/api/carrier' ? 200 : 403]);
    if (status === 403) expect(codeOf(body)).toBe('endpoint_not_allowed');
  }
  await openDialog(page.getByRole('button', { name: /^Change yard/ }));
  await page.getByLabel('Allowed addresses').fill('203.0.113.0/33');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByLabel('Allowed addresses')).toHaveAccessibleDescription(/^Is no address/);
  await page.getByLabel('Allowed addresses').fill('203.0.113.0/24');
  await save(page, 'Save');
  const refused = await ask('/api/carrier', secrets);
  expect([refused.status, codeOf(refused.body)]).toEqual([403, 'address_not_allowed']);
  expect(refused.body).toContain('from 127.0.0.1');
};

const limitRequests = async (page: Page, ask: Ask, secrets: Secrets): Promise<void> => {
  await openDialog(page.getByRole('button', { name: /^Change yard/ }));
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8');
  await page.getByLabel('Requests per minute').fill('2');
  await save(page, 'Save');
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await ask('/api/carrier', secrets));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[0]!.headers.get('ratelimit')).toMatch(/^"key";r=1;t=\d+$/);
  expect(answers[2]!.headers.get('ratelimit-policy')).toBe('"key";q=2;w=60');
  expect(Number(answers[2]!.headers.get('retry-after'))).toBeGreaterThan(0);
  await openDialog(page.getByRole('button', { name: /^Change yard/ }));
  await page.getByLabel('Requests per minute').fill('');
  await save(page, 'Save');
};

const rotateAndRevoke = async (page: Page, ask: Ask, secrets: Secrets): Promise<void> => {
  await page.getByRole('button', { name: /^Rotate yard/ }).click();
  await page.getByRole('button', { name: 'Create new secrets' }).click();
  await expect(page.getByRole('dialog', { name: 'Copy the key and its token' })).toBeVisible();
  const newer = await readSecrets(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(rowOf(page, 'yard')).toContainText('Old secrets work until');
  for (const each of [secrets, newer]) expect((await ask('/api/carrier', each)).status).toBe(200);
  await page.getByRole('button', { name: /^Rotate yard/ }).click();
  await page.getByLabel('The old secrets').selectOption('Stop working at once');
  await page.getByRole('button', { name: 'Create new secrets' }).click();
  await expect(page.getByRole('dialog', { name: 'Copy the key and its token' })).toBeVisible();
  const newest = await readSecrets(page);
  await page.getByRole('button', { name: 'Done' }).click();
  for (const each of [secrets, newer]) {
    const { status, body } = await ask('/api/carrier', each);
    expect([status, codeOf(body)]).toEqual([401, 'expired_key']);
  }
  expect((await ask('/api/carrier', newest)).status).toBe(200);
  await page.getByRole('button', { name: /^Revoke yard/ }).click();
  await save(page, 'Revoke the key');
  await expect(rowOf(page, 'yard')).toContainText('Revoked');
  const { status, body } = await ask('/api/carrier', newest);
  expect([status, codeOf(body)]).toEqual([401, 'invalid_credentials']);
};

test('a key is made, opens the five endpoints, is limited, rotated and revoked', async ({
  page,
  company,
}) => {
  const ask: Ask = (path, secrets) => curl(company.application.url, path, secrets);
  const { secrets, vin } = await test.step('a key is made under More, and shown once', () =>
    makeKey(page, ask));
  await test.step('a key limited to an endpoint and addresses is refused elsewhere, with a reason', () =>
    limitEndpointsAndAddresses(page, ask, secrets, vin));
  await test.step('a key is limited to its requests per minute', () => limitRequests(page, ask, secrets));
  await test.step('a key is rotated with an overlap, and revoked at once', () =>
    rotateAndRevoke(page, ask, secrets));
});
