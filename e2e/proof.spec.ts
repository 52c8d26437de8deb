/** The page that verifies documents, the page of documents and their keys, by people with and without an account. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from './support/fixtures';
import { expectAccessibleAnswer, expectAccessibleLayouts } from './support/axe';
import { LONG } from './support/long';
import { BROWSERS, openOtherBrowser } from './support/other-browsers';
import { dropPdf } from './support/proof';

test.setTimeout(120_000);

/** A PDF that carries a document of another server: signed, with a key that is none of the application's. */
const makeForeignPdf = (): string => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const header = { alg: 'EdDSA', kid: 'x'.repeat(43), typ: 'linehaul-proof+jws' };
  const [head, payload] = [header, { format: 'linehaul-proof/1' }].map((value) =>
    Buffer.from(JSON.stringify(value)).toString('base64url'),
  );
  const jws = `${head}.${payload}.${sign(null, Buffer.from(`${head}.${payload}`), privateKey).toString('base64url')}`;
  return `%PDF-1.7\n1 0 obj\n<< /Type /EmbeddedFile /Length ${jws.length} >>\nstream\n${jws}\nendstream\nendobj\n%%EOF\n`;
};

test('a stranger checks documents: by PDF, by text, by number; the keys are public', async ({
  browser,
  target,
}) => {
  const { application } = target;
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(`${application.url}/verify`);
  await page.getByLabel('Drop the PDF here, or choose it').setInputFiles({
    name: 'a.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(makeForeignPdf(), 'latin1'),
  });
  await expect(page.getByRole('heading', { name: 'Not signed by this server' })).toBeVisible();
  await page
    .getByLabel('Drop the PDF here, or choose it')
    .setInputFiles({ name: 'b.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\n%%EOF') });
  await expect(page.getByRole('status')).toContainText('carries no signed document');
  await page.getByLabel('Or paste the signed JSON').fill('{"a":1}');
  await page.getByRole('button', { name: 'Check it' }).click();
  await expect(page.getByRole('heading', { name: 'Not issued by this server like this' })).toBeVisible();
  await page.getByLabel('Or give its number').fill('7k3m 92qx 4htd');
  await page.getByRole('button', { name: 'Look it up' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing is shown by this number' })).toBeVisible();
  await expectAccessibleAnswer(page);
  await page.goto(`${application.url}/d/7K3M-92QX-4HTD`);
  await expect(page.getByRole('heading', { name: 'No document is shown here' })).toBeVisible();
  const keys = await fetch(`${application.url}/.well-known/linehaul-proof-keys.json`);
  expect([keys.status, keys.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
  expect(await keys.json()).toEqual({ keys: expect.any(Array) as unknown[] });
  expect([errors, await context.cookies()]).toEqual([[], []]);
  await context.close();
});

test('documents and their keys have pages', LONG, async ({ page, target }) => {
  await page.goto(`/fleets/${target.usdot}/proof`);
  await expect(page.getByRole('heading', { name: 'Proof' })).toBeVisible();
  await expectAccessibleLayouts(page);
  await page.goto('/settings');
  await expect(page.getByRole('heading', { name: 'Keys that sign documents' })).toBeVisible();
  await expectAccessibleLayouts(page);
});

for (const name of BROWSERS)
  test(`a stranger drops a PDF in ${name}`, LONG, async ({ target: { application } }) => {
    const browser = await openOtherBrowser(name, { width: 390, height: 844, isDark: true, isTouch: false });
    try {
      await browser.open(`${application.url}/verify`);
      await browser.evaluate(dropPdf, Buffer.from(makeForeignPdf(), 'latin1').toString('base64'));
      await browser.see('.verdict h2', 'Not signed by this server');
      expect(
        await browser.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        ),
      ).toBe(false);
      expect(await browser.readErrors()).toEqual([]);
    } finally {
      await browser.close();
    }
  });
