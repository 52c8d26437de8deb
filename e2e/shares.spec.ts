/** Links for customers where they are made, copied again, changed, revoked and listed. */
import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures';
import { DIALOG, PHONE, expectAccessible, expectAccessibleLayouts, expectNoViolation } from './support/axe';
import { readUnits } from './support/api-unit';
import { LONG } from './support/long';
import { BROWSERS, openOtherBrowser } from './support/other-browsers';
import { sendAsPage } from './support/session';
import type { Target } from './support/target';

test.setTimeout(240_000);

const send = ({ application }: Target, path: string, body: object = {}, method = 'POST') =>
  sendAsPage(application.url, path, body, application.cookie, method);

const sharesPath = ({ usdot }: Target): string => `/api/fleets/${usdot}/shares`;

interface Listed {
  shares: { id: string; recipient: string; state: string; precision: string; fields: string[] }[];
}

const readShares = async (target: Target): Promise<Listed['shares']> =>
  ((await (await target.application.fetch(sharesPath(target))).json()) as Listed).shares;

/** Makes a load for the truck with this key; returns its id. */
const makeLoad = async (target: Target, unit: string, reference: string): Promise<number> => {
  const stopAt = (kind: string, name: string, lat: number) => ({
    ...{ kind, siteId: null, place: { name, lat, lng: -96.8 }, appointment: null },
  });
  const response = await send(target, `/api/fleets/${target.usdot}/loads`, {
    ...{ reference, customer: 'Acme Foods', unit },
    stops: [stopAt('pickup', 'Mill 4', 32.7), stopAt('delivery', 'Acme DC', 36.1)],
  });
  return ((await response.json()) as { id: number }).id;
};

test.afterEach(async ({ target }) => {
  for (const { id, state } of await readShares(target))
    if (state === 'open') await send(target, `${sharesPath(target)}/${id}`, {}, 'DELETE');
  const loads = `/api/fleets/${target.usdot}/loads`;
  const listed = (await (await target.application.fetch(loads)).json()) as {
    loads: { id: number; reference: string }[];
  };
  for (const { id, reference } of listed.loads)
    if (reference.startsWith('sh-')) await send(target, `${loads}/${id}`, {}, 'DELETE');
});

const LINK = /^https?:\/\/[^/]+\/t\/[\w-]{27}$/;

/** Two clicks, from a page on which nothing was clicked, until a link is on the clipboard; returns it. */
const copyInTwoClicks = async (page: Page): Promise<string> => {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make and copy link' }).click();
  await expect(page.getByRole('dialog', { name: 'Link copied' })).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
};

const truckOf = async (api: Parameters<typeof readUnits>[0], usdot: string) =>
  (await readUnits(api, usdot)).find(({ truckNumber }) => truckNumber !== null)!;

test('a link of a load is copied in 2 clicks, copied again, changed and revoked', async ({
  page,
  context,
  target,
  api,
}) => {
  const { usdot } = target;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const unit = await truckOf(api, usdot);
  const id = await makeLoad(target, unit.vin, 'sh-100');
  await page.goto(`/fleets/${usdot}/loads/${id}`);
  const link = await copyInTwoClicks(page);
  expect(link).toMatch(LINK);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'Acme Foods' }).click();
  await expect(page.getByRole('heading', { name: 'Link for Acme Foods' })).toBeVisible();
  await expect(page.locator('main')).toContainText(
    'Acme Foods sees exactly where load sh-100 is, and its status, arrival window, and stops and their times, until delivery.',
  );
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  const list = page.getByRole('region', { name: 'Links' });
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await list.getByRole('button', { name: 'Copy the link for Acme Foods' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await list.getByRole('button', { name: 'Change the link for Acme Foods' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Within 5 mi' }).click();
  // A phone has no buttons in its list: what is open and typed stays.
  const size = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  await expect(list.getByText('Link, what it shows, and its state')).toBeAttached();
  await expect(dialog).toContainText('within 5 mi');
  await page.setViewportSize(size);
  await dialog.getByLabel('Ends with').selectOption('Departure from Mill 4');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(list).toContainText('until departure from Mill 4');
  await expect(list).toContainText('Within 5 mi');
  await list.getByRole('button', { name: 'Revoke the link for Acme Foods' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No link matches.').or(page.getByText('Globex'))).toBeVisible();
  expect((await readShares(target)).filter(({ state }) => state === 'open')).toEqual([]);
});

test(
  'a link is copied in 2 clicks from the panel, and in 2 from the page of a vehicle',
  LONG,
  async ({ page, context, target, api }) => {
    const { usdot } = target;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const unit = await truckOf(api, usdot);
    await page.goto(`/fleets/${usdot}?unit=${unit.vin}`);
    expect(await copyInTwoClicks(page)).toMatch(LINK);
    await page.goto(`/fleets/${usdot}/units/${unit.vin}`);
    expect(await copyInTwoClicks(page)).toMatch(LINK);
    const shares = (await readShares(target)).filter(({ state }) => state === 'open');
    expect(shares).toHaveLength(2);
    expect(shares.map(({ fields }) => fields)).toEqual(shares.map(() => ['status', 'truckNumber']));
    // A truck that has a load shares the load, which ends; the truck itself is one click further.
    await page.keyboard.press('Escape');
    await makeLoad(target, unit.vin, 'sh-110');
    await page.goto(`/fleets/${usdot}?unit=${unit.vin}`);
    await expect(page.getByRole('link', { name: 'sh-110' })).toBeVisible();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('where load sh-110 is');
    await dialog.getByRole('button', { name: `Share truck ${unit.truckNumber} instead` }).click();
    await expect(dialog).toContainText(`where truck ${unit.truckNumber} is`);
  },
);

test(
  'the page of a link says how often it was opened, and from how many places',
  LONG,
  async ({ page, target, api }) => {
    const { application, usdot } = target;
    const id = await makeLoad(target, (await truckOf(api, usdot)).vin, 'sh-115');
    const made = await send(target, sharesPath(target), {
      ...{ recipient: 'Globex', items: [{ loadId: id, unit: null }], precision: 'town', fields: [] },
      ...{ delayMin: 0, endsMs: null, endsOn: 'delivery', endsAtStop: null, endsAtSite: null },
      ...{ showsEnd: true, frameOrigins: [] },
    });
    const share = (await made.json()) as { id: string; link: string };
    await page.goto(`/fleets/${usdot}/links/${share.id}`);
    const main = page.locator('main');
    await expect(main).toContainText('Never opened.');
    const url = new URL(share.link, application.url);
    for (let i = 0; i < 3; i++) expect((await fetch(url)).status).toBe(200);
    await expect(main).toContainText('Opened 3 times', { timeout: 60_000 });
    await expect(main).toContainText('from 1 place.');
    await expect(page.getByRole('region', { name: 'Openings by hour' })).toContainText('3 times');
    await expectNoViolation(page, 'dark', 'main');
  },
);

for (const name of BROWSERS)
  test(`${name} makes a link in two clicks, and says whether it is copied`, LONG, async ({ target, api }) => {
    const { application, usdot } = target;
    const id = await makeLoad(target, (await truckOf(api, usdot)).vin, `sh-${name}`);
    const browser = await openOtherBrowser(name);
    try {
      await browser.open(`${application.url}/fleets/${usdot}/loads/${id}`);
      await browser.click('button', 'Share');
      await browser.click('[role=dialog] button', 'Make and copy link');
      await browser.see('[role=dialog] h2', 'Link copied');
      const url = await browser.evaluate(
        () => document.querySelector<HTMLInputElement>('[role=dialog] input')?.value ?? '',
      );
      expect(url).toMatch(LINK);
      expect(await browser.readErrors()).toEqual([]);
    } finally {
      await browser.close();
    }
  });

test(
  'where the browser refuses to copy, the link is selected, and a refusal of the server is read',
  LONG,
  async ({ page, target, api }) => {
    const { usdot } = target;
    const id = await makeLoad(target, (await truckOf(api, usdot)).vin, 'sh-120');
    await page.goto(`/fleets/${usdot}/loads/${id}`);
    await page.evaluate(() => {
      Reflect.deleteProperty(Navigator.prototype, 'clipboard');
      document.execCommand = () => false;
    });
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Who it is for').fill('');
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    await expect(dialog).toContainText('Say who it is for.');
    await dialog.getByLabel('At the latest').selectOption('At a time…');
    await dialog.getByLabel('Who it is for').fill('Globex');
    await dialog.getByLabel('Time', { exact: true }).fill('2020-01-01 8a');
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    await expect(dialog).toContainText('This time has passed.');
    await dialog.getByLabel('Time', { exact: true }).fill('tomorrow 5p');
    await expect(dialog).toContainText('until delivery or');
    await expect(dialog).toContainText('whichever comes first');
    await dialog.getByRole('button', { name: 'Make and copy link' }).click();
    await expect(page.getByRole('dialog', { name: 'Link made' })).toBeVisible();
    const field = page.getByLabel('Link for Globex');
    await expect(field).toBeFocused();
    const isWhole = (input: HTMLInputElement): boolean =>
      input.selectionStart === 0 && input.selectionEnd === input.value.length;
    expect(await field.evaluate(isWhole)).toBe(true);
    await expectAccessible(page, DIALOG);
  },
);

test(
  'a link with several loads and trucks is made by keyboard, and the screens of links are accessible',
  LONG,
  async ({ page, target, api }) => {
    const { usdot } = target;
    const units = (await readUnits(api, usdot)).filter(({ truckNumber }) => truckNumber !== null);
    const id = await makeLoad(target, units[0]!.vin, 'sh-130');
    await makeLoad(target, units[1]!.vin, 'sh-131');
    await page.goto(`/fleets/${usdot}/links`);
    await expect(page.getByText(/No links yet|No link matches/)).toBeVisible();
    await expectNoViolation(page, 'light', 'main');
    await page.goto(`/fleets/${usdot}/loads/${id}`);
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    await page.getByRole('button', { name: 'Add a load or truck' }).press('Enter');
    await page.keyboard.type('sh-131');
    await expect(page.getByRole('option', { name: /sh-131/ })).toBeVisible();
    await page.keyboard.press('Enter');
    const items = page.getByRole('list', { name: 'What it shows' });
    await expect(items).toContainText('sh-131');
    await expect(page.getByRole('dialog')).toContainText('until delivery of each load');
    await page.getByRole('button', { name: /^More:/ }).press('Enter');
    await expectAccessible(page, DIALOG);
    await page.getByLabel('Who it is for').press('Enter');
    await expect(page.getByRole('dialog', { name: /Link (copied|made)/ })).toBeVisible();
    await expectAccessible(page, DIALOG);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Share', exact: true })).toBeFocused();
    await page.goto(`/fleets/${usdot}/links`);
    await expect(page.getByRole('region', { name: 'Links' })).toContainText('Loads sh-130 and sh-131');
    await expectAccessibleLayouts(page);
    const [share] = await readShares(target);
    await page.goto(`/fleets/${usdot}/links/${share!.id}`);
    await expect(page.getByRole('heading', { name: 'Link for Acme Foods' })).toBeVisible();
    await expectAccessibleLayouts(page);
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Revoke the link for Acme Foods' }).click();
    await expectAccessible(page, DIALOG);
  },
);
