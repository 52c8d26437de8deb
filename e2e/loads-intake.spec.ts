/** Loads that come from programs and files: by a key that a manager makes, and by a workbook. */
import fc from 'fast-check';
import { writeXlsx } from 'hucre/xlsx';
import type { Page } from '@playwright/test';
import { DEMO_USDOT } from './support/application';
import { DIALOG, expectAccessible } from './support/axe';
import { openDialog } from './support/dialog';
import { companyTest as test, expect } from './support/fixtures';
import { LONG } from './support/long';

test.setTimeout(120_000);

const STOPS = [
  { kind: 'pickup', place: { name: 'Dallas dock', lat: 32.8, lng: -96.8 } },
  {
    ...{ kind: 'delivery', place: { name: 'Amarillo dock', lat: 35.2, lng: -101.8 } },
    appointment: { from: '2030-03-02T08:00', to: '2030-03-02T10:00' },
  },
];

const makeKey = async (page: Page): Promise<string> => {
  await page.goto('/api-keys');
  await openDialog(page.getByRole('button', { name: 'Add a load key' }));
  await page.getByLabel('Name').fill('TMS');
  await expect(page.getByLabel('Fleet')).toHaveValue(DEMO_USDOT);
  await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Add the key' }).click();
  const key = (await page.getByLabel('Key for loads', { exact: true }).textContent())!;
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row').filter({ hasText: `${key.slice(0, 12)}…` })).toContainText('TMS');
  expect(await page.content()).not.toContain(key);
  return key;
};

test('a TMS writes a load with a key of its own, which is on the board at once, until the key is revoked', async ({
  page,
  company,
}) => {
  const key = await makeKey(page);
  const send = (method: string, reference: string, body?: object) =>
    fetch(`${company.application.url}/api/v1/loads/${encodeURIComponent(reference)}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const reference = 'TMS 88/41 é';
  const body = { customer: 'Peachtree Paper', stops: STOPS };
  expect((await send('PUT', reference, body)).status).toBe(201);
  const again = await send('PUT', reference, body);
  expect(again.status).toBe(200);
  expect(await again.json()).toMatchObject({ reference, state: 'noTruck' });
  expect((await send('PUT', 'x', { stops: [] })).headers.get('content-type')).toBe(
    'application/problem+json',
  );
  await page.goto(`/fleets/${DEMO_USDOT}/loads?span=all`);
  await expect(page.getByText(reference)).toBeVisible();
  expect((await send('DELETE', reference)).status).toBe(204);
  await page.goto('/api-keys');
  await page.getByRole('button', { name: /^Revoke TMS/ }).click();
  await page.getByRole('button', { name: 'Revoke the key' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect((await send('GET', reference)).status).toBe(401);
});

/** Characters that an address, a path or a query treats in a way of its own, and those of other scripts. */
const CHARACTERS = [
  ...'/\\%?#&=+;:@.,~$!*\'"()[]{}<>|^` aZ0-_é',
  'ß',
  '東',
  '😀',
  'e\u0301',
  '%2F',
  '%25',
  '../',
  '..',
];

test(
  'whatever its reference is made of, a load is written, read and removed by it, and is on the board',
  LONG,
  async ({ page, company }) => {
    // As right after a server's start: its fleets are listed once the dialog is open.
    await page.route('**/api/fleets', (route) => route.fulfill({ json: { fleets: [] } }), { times: 1 });
    const key = await makeKey(page);
    const { url } = company.application;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const send = (method: string, reference: string) =>
      fetch(`${url}/api/v1/loads/${encodeURIComponent(reference)}`, {
        ...{ method, headers },
        ...(method === 'PUT' && { body: JSON.stringify({ customer: 'Peachtree Paper', stops: STOPS }) }),
      });
    const reference = fc
      .array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 12 })
      .map((parts) => parts.join('').trim())
      // Addresses have no such parts: programs resolve them before they send them.
      .filter((text) => text !== '' && text !== '.' && text !== '..');
    await fc.assert(
      fc.asyncProperty(reference, async (text) => {
        const made = await send('PUT', text);
        expect([made.status, await made.json()], text).toMatchObject([201, { reference: text }]);
        const read = await send('GET', text);
        expect([read.status, await read.json()], text).toMatchObject([200, { reference: text }]);
        expect((await send('PUT', text)).status, text).toBe(200);
        expect((await send('DELETE', text)).status, text).toBe(204);
        expect((await send('GET', text)).status, text).toBe(404);
      }),
      // A key may make 600 requests a minute.
      { numRuns: 100 },
    );
    const shown = 'a/b?c=1&d#e%2F..+é 😀';
    expect((await send('PUT', shown)).status).toBe(201);
    await page.goto(`/fleets/${DEMO_USDOT}/loads?span=all`);
    await page.getByRole('link', { name: shown }).click();
    await expect(page.getByRole('heading', { name: `Load ${shown}` })).toBeVisible();
    await page.goto(`/fleets/${DEMO_USDOT}/loads?span=all&q=${encodeURIComponent(shown)}`);
    await expect(page.getByRole('link', { name: shown })).toBeVisible();
    expect((await send('DELETE', shown)).status).toBe(204);
  },
);

const toFile = async (pickup: string) => ({
  name: 'loads.xlsx',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'Loads',
          rows: [
            ['Reference', 'Customer', 'Pickup', 'Pickup from', 'Delivery', 'Delivery from', 'Delivery to'],
            [
              7701,
              'Peachtree Paper',
              pickup,
              new Date('2030-03-02T08:00:00Z'),
              'Amarillo, TX',
              '2030-03-03 08:00',
              '10:00',
            ],
            [7702, 'Lone Star Foods', 'Fort Worth, TX', null, '79101', null, null],
          ],
        },
      ],
    }),
  ),
});

test('loads are imported from a workbook, whose faults are named first, and again without a change', async ({
  page,
}) => {
  await page.goto(`/fleets/${DEMO_USDOT}/loads?span=all`);
  await openDialog(page.getByRole('button', { name: 'Import', exact: true }));
  const dialog = page.getByRole('dialog', { name: 'Import loads' });
  const choose = async (pickup: string): Promise<void> =>
    dialog.getByLabel('Excel workbook or CSV file').setInputFiles(await toFile(pickup));
  await expect(async () => {
    await choose('Nowhere at all');
    await expect(dialog.getByRole('status')).toContainText('1 error', { timeout: 1000 });
  }).toPass();
  await expect(dialog.getByRole('row').filter({ hasText: 'Nowhere at all' })).toContainText('2');
  await expectAccessible(page, DIALOG);
  await choose('Dallas, TX');
  await expect(dialog.getByRole('status')).toContainText('2 to add');
  await dialog.getByRole('button', { name: 'Import 2 loads' }).click();
  await expect(dialog.getByRole('status')).toContainText('Imported: 2 added');
  await choose('Dallas, TX');
  await expect(dialog.getByRole('status')).toContainText('Nothing to import: 2 unchanged');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('7701')).toBeVisible();
  await expect(page.getByText('7702')).toBeVisible();
});
