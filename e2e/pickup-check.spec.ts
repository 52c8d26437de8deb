/** A pickup code made and shown, a dock that checks trucks by it without scripts, and a certificate of where a truck was. */
import type { Page } from '@playwright/test';
import { expect, test, type TrackingApi } from './support/fixtures';
import { IS_LONG } from '@/testing/long';
import { readUnits, type ApiUnit } from './support/api-unit';
import { DIALOG, PHONE, expectAccessible, expectAccessibleAnswer } from './support/axe';
import { LONG } from './support/long';
import { BROWSERS, openOtherBrowser } from './support/other-browsers';
import { sendAsPage } from './support/session';
import type { Target } from './support/target';

test.setTimeout(180_000);

const made: number[] = [];

const send = async <T>(
  { application, usdot }: Target,
  path: string,
  body: object,
  method?: string,
): Promise<T> => {
  const { url, cookie } = application;
  const response = await sendAsPage(url, `/api/fleets/${usdot}${path}`, body, cookie, method);
  const text = await response.text();
  expect(response.ok, text).toBe(true);
  return (text === '' ? null : JSON.parse(text)) as T;
};

/** A load whose truck is at its pickup, a circle of some miles. */
const addLoad = async (target: Target, api: TrackingApi): Promise<{ id: number; unit: ApiUnit }> => {
  const units = await readUnits(api, target.usdot);
  const unit = units.filter(({ truckNumber, coordinates }) => truckNumber !== null && coordinates !== null)[
    made.length
  ]!;
  const stopAt = (kind: string, name: string, at: { lat: number; lng: number }, radiusM: number) => ({
    ...{ kind, siteId: null, place: { name, ...at, radiusM }, appointment: null },
  });
  const { id } = await send<{ id: number }>(target, '/loads', {
    ...{ reference: `pc-${made.length}`, customer: 'Acme Foods', unit: unit.vin },
    stops: [
      stopAt('pickup', 'Mill 4', unit.coordinates!, 20_000),
      stopAt('delivery', 'Acme DC', { lat: 47, lng: -96.8 }, 400),
    ],
  });
  made.push(id);
  return { id, unit };
};

test.afterEach(async ({ target }) => {
  for (const id of made.splice(0)) await send(target, `/loads/${id}`, {}, 'DELETE');
});

const check = async (page: Page, truck: string, heading: string): Promise<void> => {
  await page.getByRole('textbox').fill(truck);
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
};

test('a dock checks trucks by a code that a dispatcher makes', async ({ page, browser, target, api }) => {
  const { application, usdot } = target;
  const { id, unit } = await addLoad(target, api);
  await page.goto(`/fleets/${usdot}/loads/${id}`);
  await page.getByRole('button', { name: 'Pickup code' }).click();
  await expect(page.getByRole('button', { name: 'Make a code' })).toBeVisible();
  if (IS_LONG) await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Make a code' }).click();
  const shown = page.getByRole('dialog').getByLabel('code', { exact: true });
  await expect(shown).toHaveText(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/);
  const code = (await shown.textContent())!;
  await expectAccessible(page, DIALOG);
  const stranger = await browser.newContext({ javaScriptEnabled: false, viewport: PHONE });
  const dock = await stranger.newPage();
  await dock.goto(`${application.url}/p/${code.toLowerCase()}`);
  await expect(dock.getByRole('heading', { name: /^Load pc-\d at Mill 4$/ })).toBeVisible();
  await check(dock, unit.vin.slice(-8), 'Expected here');
  await check(dock, 'NOT-A-TRUCK', 'Not the truck of this load');
  await dock.getByRole('link', { name: 'Español' }).click();
  await expect(dock.getByRole('button', { name: 'Verificar' })).toBeVisible();
  expect(await stranger.cookies()).toEqual([]);
  await stranger.close();
  await page.reload();
  const history = page.getByRole('list', { name: 'What happened' });
  await expect(history).toContainText('NOTATRUCK, not its truck');
  await expect(history).toContainText(`${unit.vin.slice(-8)}, its truck, near`);
  await page.goto(`${application.url}/p/${code}`);
  await check(page, 'NOT-A-TRUCK', 'Not the truck of this load');
  await expectAccessibleAnswer(page);
});

test('a certificate of where a truck was is issued and opened', LONG, async ({ page, target, api }) => {
  const { usdot } = target;
  const [unit] = await readUnits(api, usdot);
  await page.goto(`/fleets/${usdot}/units/${unit!.vin}`);
  await page.getByRole('button', { name: 'Certificate' }).click();
  await expectAccessible(page, DIALOG);
  await page.getByRole('button', { name: 'Issue certificate' }).click();
  await expect(page.getByRole('heading', { name: 'Certificate issued' })).toBeVisible();
  await expectAccessible(page, DIALOG);
  const address = (await page.getByRole('link', { name: 'Open', exact: true }).getAttribute('href'))!;
  // It is a document that scrolls, not a page of the application.
  const document = await page.context().newPage();
  await document.goto(address);
  await expect(document.getByRole('heading', { name: 'Where the truck was at a moment' })).toBeVisible();
  await expect(document.getByText(unit!.vin)).toBeVisible();
  await expectAccessibleAnswer(document);
  await document.close();
});

for (const name of BROWSERS)
  test(`a dock checks a truck in ${name}`, LONG, async ({ target, api }) => {
    const { application } = target;
    const { id, unit } = await addLoad(target, api);
    const { code } = await send<{ code: string }>(target, `/loads/${id}/pickup-code`, {});
    const browser = await openOtherBrowser(name, { ...PHONE, isDark: true, isTouch: false });
    try {
      await browser.open(`${application.url}/p/${code}`);
      await browser.see('h1', 'Mill 4');
      await browser.evaluate(() => document.getElementById('truck')!.focus());
      await browser.type(unit.truckNumber);
      await browser.press(['Enter']);
      await browser.see('.check h1', 'Expected here');
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
