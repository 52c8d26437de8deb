/** A load made by the keyboard alone, seen on the board, in the list and on its page, and ended by hand. */
import { expect, test } from './support/fixtures';
import { DIALOG, PHONE, expectAccessible, expectAccessibleLayouts, expectNoViolation } from './support/axe';
import { readUnits } from './support/api-unit';
import { LONG } from './support/long';
import { BROWSERS, openOtherBrowser } from './support/other-browsers';
import { sendAsPage } from './support/session';
import type { Target } from './support/target';

test.setTimeout(240_000);

interface Listed {
  loads: {
    id: number;
    reference: string;
    trucks: unknown[];
    stops: { name: string; appointment: unknown }[];
  }[];
}

const readLoads = async ({ application, usdot }: Target): Promise<Listed['loads']> => {
  const response = await application.fetch(`/api/fleets/${usdot}/loads`);
  return ((await response.json()) as Listed).loads;
};

test.afterEach(async ({ target }) => {
  const { application, usdot } = target;
  for (const { id, reference } of await readLoads(target))
    if (reference.startsWith('kb-'))
      await sendAsPage(application.url, `/api/fleets/${usdot}/loads/${id}`, {}, application.cookie, 'DELETE');
});

/** A dispatcher's time for a new load, who types as fast as most who do so every day (48 words a minute). */
const WITHIN_S = 20;
const KEYS_A_SECOND = 4;

for (const name of BROWSERS)
  test(`${name} makes a load by keyboard alone`, name === 'chromium' ? {} : LONG, async ({ target, api }) => {
    const { application, usdot } = target;
    const [unit] = (await readUnits(api, usdot)).filter(({ truckNumber }) => truckNumber !== null);
    const browser = await openOtherBrowser(name);
    try {
      await browser.open(`${application.url}/fleets/${usdot}/loads`);
      await browser.see('button', 'New load');
      await browser.see('button', 'Live · ');
      // Keys are counted: how fast this machine presses them, and answers, depends on what else it does.
      let keys = 0;
      const press = async (pressed: readonly string[]): Promise<void> => {
        keys += pressed.length;
        await browser.press(pressed);
      };
      await press(['+']);
      const focusOn = (field: string) =>
        browser.waitFor(field, (wanted) => document.activeElement?.getAttribute('name') === wanted, field);
      const fill = async (field: string, text: string): Promise<void> => {
        await focusOn(field);
        await press([...text]);
      };
      await fill('reference', 'kb-8841');
      await press(['Tab']);
      await fill('unit', unit!.truckNumber!);
      await press(['Tab', 'Tab']);
      await fill('stops.0.place', 'amarillo, tx');
      await browser.see('[role=option]', 'Amarillo, TX');
      await press(['Tab']);
      await fill('stops.0.appointment', 'tomorrow 8-10');
      await press(['Tab']);
      await fill('stops.1.place', '32.77, -96.79');
      await press(['Tab']);
      await fill('stops.1.appointment', 'tomorrow 5p');
      await press(['Enter']);
      await browser.see('a', 'kb-8841');
      expect(keys / KEYS_A_SECOND).toBeLessThan(WITHIN_S);
      // A server that is busy asks to try again.
      expect((await browser.readErrors()).filter((error) => !error.includes(' 503 '))).toEqual([]);
    } finally {
      await browser.close();
    }
    const load = (await readLoads(target)).find(({ reference }) => reference === 'kb-8841');
    expect(load?.trucks).toHaveLength(1);
    expect(load?.stops.map(({ name: stop, appointment }) => [stop, appointment !== null])).toEqual([
      ['Amarillo, TX', true],
      ['32.77000, -96.79000', true],
    ]);
  });

test('the form of a load sends whom mails go to, and says where a server sends none', async ({
  page,
  target,
}) => {
  const { usdot } = target;
  const openForm = async (): Promise<void> => {
    await page.goto(`/fleets/${usdot}/loads`);
    await page.getByRole('button', { name: 'New load' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^More:/ })
      .click();
  };
  const mails = page.getByRole('dialog').locator('[name="mails.addresses"]');
  await openForm();
  await expect(page.getByText('This server sends no mails')).toBeVisible();
  await expect(mails).toBeDisabled();
  const chosen = { addresses: [], about: [], language: 'en', ended: [], canMail: true };
  await page.route('**/loads/0/mails', (route) => route.fulfill({ json: chosen }));
  await openForm();
  await mails.fill('Dock@customer.test');
  await page.getByLabel('Delivered', { exact: true }).uncheck();
  await page.getByLabel('Load number').fill('kb-mailed');
  await page.getByRole('combobox', { name: 'From', exact: true }).fill('32.7, -96.8');
  await page.getByRole('combobox', { name: 'To', exact: true }).fill('36.1, -95.9');
  const sending = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/loads'),
  );
  await page.getByRole('button', { name: 'Add the load' }).click();
  const { mails: sent } = (await sending).postDataJSON() as { mails: object };
  expect(sent).toEqual({ addresses: ['Dock@customer.test'], about: ['pickup', 'late'], language: 'en' });
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a load is on the board, with its truck and on its page, and ends by hand', async ({
  page,
  target,
  api,
}) => {
  const { application, usdot } = target;
  const [unit] = (await readUnits(api, usdot)).filter(({ truckNumber }) => truckNumber !== null);
  const stopAt = (kind: string, named: string, lat: number) => ({
    ...{ kind, siteId: null, place: { name: named, lat, lng: -96.8 }, appointment: null },
  });
  await sendAsPage(
    application.url,
    `/api/fleets/${usdot}/loads`,
    {
      ...{ reference: 'kb-8850', po: '55-210', customer: 'Acme Foods', unit: unit!.vin },
      stops: [stopAt('pickup', 'Mill 4', 32.7), stopAt('delivery', 'Acme DC', 36.1)],
    },
    application.cookie,
  );
  await page.goto(`/fleets/${usdot}`);
  const search = page.getByRole('combobox', { name: 'Search' });
  // Longer than the address of a map that moves waits to be written.
  await page.route('**/loads/*_rsc=*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await route.continue();
  });
  await search.fill('55-210');
  const found = page
    .getByRole('listbox', { name: 'Suggestions' })
    .getByRole('option', { name: 'Load kb-8850' });
  await expect(found).toBeVisible();
  await page.mouse.move(900, 500);
  await page.mouse.wheel(0, -200);
  await found.click();
  await expect(page.getByRole('heading', { name: 'Load kb-8850' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Stops' })).toContainText('Acme DC');
  await expectNoViolation(page, 'light', 'main');
  await expectNoViolation(page, 'dark', 'main');
  await page.goto(`/fleets/${usdot}/units/${unit!.vin}?view=day`);
  await expect(page.getByRole('region', { name: 'Loads' })).toContainText('kb-8850');
  const map = page.getByRole('region', { name: 'Map of the whole day' });
  expect((await map.boundingBox())!.height).toBeGreaterThan(500);
  await page.goBack();
  await page.getByRole('button', { name: 'End' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End the load' }).click();
  await expect(page.getByRole('list', { name: 'What happened' })).toContainText(/Ended by hand.*by hand/);
  await page.getByRole('link', { name: 'Loads' }).first().click();
  await page.getByRole('button', { name: /^Done/ }).click();
  await expect(page.getByRole('region', { name: 'Loads' })).toContainText('kb-8850');
  await expectNoViolation(page, 'light', 'main');
  await page.getByRole('button', { name: 'New load' }).click();
  await page.getByRole('button', { name: 'Add the load' }).click();
  await expect(page.getByText('Give a reference.')).toBeVisible();
  await page.getByRole('button', { name: /^More:/ }).click();
  await expectNoViolation(page, 'light', DIALOG);
  await expectNoViolation(page, 'dark', DIALOG);
});

test(
  'the screens of loads are accessible, and complete on a phone, in each state of a load',
  LONG,
  async ({ page, target, api }) => {
    const { application, usdot } = target;
    const units = (await readUnits(api, usdot)).filter(({ truckNumber }) => truckNumber !== null);
    const loads = `/api/fleets/${usdot}/loads`;
    const send = (path: string, body: object, method?: string) =>
      sendAsPage(application.url, path, body, application.cookie, method);
    const nowMs = Date.now();
    const hour = 3_600_000;
    const toLoad = (reference: string, unit: string | null, fromH: number | null) => ({
      ...{ reference, unit, customer: 'Acme Foods of Texas', tags: ['rush', 'reefer'] },
      stops: ['Mill 4', 'Acme DC'].map((name, i) => ({
        ...{ kind: i === 0 ? 'pickup' : 'delivery', siteId: null, freeMin: 120 },
        // Its clock is not the viewer's.
        place: { name, lat: 33.4 + i, lng: -112 },
        appointment:
          fromH === null
            ? null
            : { fromMs: nowMs + (fromH + i) * hour, toMs: nowMs + (fromH + 25 + i) * hour },
        ...{ contactName: 'Kim', contactPhone: '404 555 0123' },
      })),
    });
    await send(loads, toLoad('kb-late', units[0]!.vin, -30));
    await send(loads, toLoad('kb-soon', units[1]!.vin, 40));
    await send(loads, toLoad('kb-none', null, 1));
    await send(loads, toLoad('kb-free', units[2]!.vin, null));
    const late = (await readLoads(target)).find(({ reference }) => reference === 'kb-late')!;
    await send(`${loads}/${late.id}`, toLoad('kb-late', units[3]!.vin, -30), 'PUT');
    await page.goto(`/fleets/${usdot}/loads?span=all`);
    await expect(page.getByText('kb-late')).toBeVisible();
    await expectAccessibleLayouts(page);
    await page.setViewportSize(PHONE);
    const board = page.getByRole('region', { name: 'Loads' });
    await expect(board).toContainText(/Appt\..*\sMST/);
    await page.getByRole('button', { name: 'Import' }).click();
    await expectAccessible(page, DIALOG);
    await page.goto(`/fleets/${usdot}/loads/${late.id}`);
    await expect(page.getByRole('region', { name: 'Stops' })).toContainText('MST');
    await expectAccessibleLayouts(page);
    await page.setViewportSize(PHONE);
    const trucks = page.getByRole('group', { name: 'Truck whose trail is shown' });
    const map = page.locator('.leaflet-container').last();
    await expect(map).toBeVisible();
    expect((await trucks.boundingBox())!.height).toBeLessThan(100);
    expect((await map.boundingBox())!.height).toBeGreaterThan(300);
    // Enter on what is there takes no truck off, and Escape closes the dialog at once.
    await page.getByRole('button', { name: 'Truck', exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'Truck' })).toHaveValue(units[3]!.truckNumber!);
    await expectAccessible(page, DIALOG);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  },
);
