/**
 * Runs axe once on each distinct state of the screens: all rules in the light theme on a phone, where the layout differs
 * also on a desktop, and the contrast rules in the dark theme. Of a dialog or a notice over a page, only that part is checked.
 * accessible-company.spec.ts does so where users sign in, accessible-faults.spec.ts while a provider fails.
 */
import { readUnits } from './support/api-unit';
import {
  DIALOG,
  PHONE,
  expectAccessible,
  expectAccessibleAnswer,
  expectAccessibleLayouts,
  expectNoViolation,
} from './support/axe';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { readLiveUnits } from './support/live-fleet';
import { LONG } from './support/long';
import { makeStay } from './support/proof';
import { addSite, removeSites } from './support/sites';

test.setTimeout(120_000);

const VISIT = {
  ...{ unit: 'truck-1', name: 'Truck 1', siteId: 1, siteName: 'Yard North', isLearnedLater: true },
  ...{ arrivedAfterMs: null, arrivedMs: Date.now() - 3_600_000, leftMs: null, leftByMs: null },
};

test('axe finds nothing on the map, the shortcuts and a search that finds nothing', async ({
  page,
  target,
}) => {
  const fleet = createFleetPage(page);
  await fleet.open(target.usdot);
  await expectAccessibleLayouts(page);
  await page.setViewportSize(PHONE);
  await expectNoViolation(page, 'dark');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toContainText('Fit the map');
  await expectAccessible(page, DIALOG);
  await page.keyboard.press('Escape');
  await fleet.search.fill('nothing of the kind');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeAttached();
  await expectAccessible(page);
});

test(
  'axe finds nothing on the time bar, a moment in the past and one without recording',
  LONG,
  async ({ page, target }) => {
    await createFleetPage(page).open(target.usdot);
    await page.keyboard.press('p');
    await expect(page.getByRole('slider', { name: 'Moment' })).toBeFocused();
    await page.keyboard.press('End');
    await expect(page.getByRole('button', { name: /^Past · / })).toBeVisible();
    await expectAccessibleLayouts(page);
    await page.getByRole('button', { name: 'Day before' }).click();
    await expect(page.getByRole('heading', { name: 'Nothing recorded' })).toBeAttached();
    await expectAccessibleLayouts(page);
  },
);

test("axe finds nothing on a unit's panel and page", LONG, async ({ page, api, target }) => {
  const [unit] = await readUnits(api, target.usdot);
  const { open, panel } = createFleetPage(page);
  await open(target.usdot, `?unit=${unit?.vin}`);
  await expect(panel.getByText('Public record')).toBeVisible();
  await expectAccessibleLayouts(page);
  await page.goto(`/fleets/${target.usdot}/units/${unit?.vin}`);
  await expect(page.getByText('Public record')).toBeAttached();
  await expectAccessibleLayouts(page);
});

test(
  'axe finds nothing on notes, tags, saved views and the nearest units',
  LONG,
  async ({ page, api, target }) => {
    const [, unit] = await readUnits(api, target.usdot);
    const { open, panel } = createFleetPage(page);
    await open(target.usdot, `?unit=${unit?.vin}&q=${unit?.vin}`);
    await panel.getByRole('button', { name: 'Add a note' }).click();
    await page.getByLabel('Note', { exact: true }).fill('Winter tires');
    await expectAccessible(page, DIALOG);
    await page.getByRole('button', { name: 'Add the note' }).click();
    await expect(panel.getByRole('list', { name: 'Notes' })).toBeVisible();
    await panel.getByRole('button', { name: 'Add a tag' }).click();
    await page.getByRole('combobox', { name: 'Tag' }).fill('reefers');
    await expectAccessible(page, DIALOG);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(panel.getByRole('list', { name: 'Tags' })).toContainText('reefers');
    await expectAccessibleLayouts(page);
    await page.getByRole('button', { name: /^Filter by flag, / }).click();
    await page.getByRole('menuitem', { name: 'Rename or remove tags…' }).click();
    await expect(page.getByRole('button', { name: 'Rename reefers' })).toBeVisible();
    await expectAccessible(page, DIALOG);
    await page.keyboard.press('Escape');

    await page.keyboard.press('v');
    await page.getByRole('menuitem', { name: 'Save this view…' }).click();
    await page.getByLabel('Name').fill('Reefers of axe');
    await expectAccessible(page, DIALOG);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.keyboard.press('v');
    await expect(page.getByRole('menuitem', { name: 'Reefers of axe' })).toBeVisible();
    await expectAccessible(page, '[role=menu]');
    await page.getByRole('menuitem', { name: 'Change or remove views…' }).click();
    await expect(page.getByRole('button', { name: 'Change Reefers of axe' })).toBeVisible();
    await expectAccessible(page, DIALOG);

    await open(target.usdot, '?near=35.2,-101.83');
    await expect(panel.getByRole('list', { name: 'Nearest trucks' }).getByRole('listitem')).toHaveCount(25);
    await expectAccessibleLayouts(page);
  },
);

test(
  "axe finds nothing on a unit's day beside another's, its calendar and the search for more",
  LONG,
  async ({ page, api, target }) => {
    const units = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
    await page.goto(`/fleets/${target.usdot}/units/${units[0]?.vin}?view=day&with=${units[1]?.vin}`);
    await expect(page.getByRole('slider', { name: 'Moment of the day' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Compared trucks' })).toContainText('driving');
    await expectAccessibleLayouts(page);
    await page.getByRole('button', { name: 'Compare…' }).click();
    await expect(page.getByRole('searchbox', { name: 'Truck to compare with' })).toBeFocused();
    await expectAccessible(page, DIALOG);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Today' }).click();
    await expect(page.getByRole('button', { name: /, recorded$/ }).first()).toBeVisible();
    await expectAccessible(page, DIALOG);
  },
);

test('axe finds nothing on the reports of the history', LONG, async ({ page, target }) => {
  const base = `/fleets/${target.usdot}/history`;
  for (const [question, table] of [
    ['activity', 'Activity of each truck and day'],
    ['miles', 'Miles of each truck'],
    ['quality&by=truck', 'Data quality'],
  ]) {
    await page.goto(`${base}?question=${question}`);
    await expect(page.getByRole('region', { name: table }).getByRole('row').nth(3)).toBeVisible();
    await expectAccessibleLayouts(page);
  }
  await page.goto(`${base}?question=miles&from=2001-01-01&to=2001-01-02`);
  await expect(page.getByText('Nothing was recorded.')).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on who was in an area, and while one is drawn', LONG, async ({ page, target }) => {
  // The fleet has no sites; the table looks the same with a visit that never was.
  await page.route('**/history/site-visits?**', (route) =>
    route.fulfill({ json: { nowMs: VISIT.arrivedMs, visits: [VISIT], hasMore: false } }),
  );
  await page.goto(`/fleets/${target.usdot}/history?question=visits`);
  await expect(page.getByRole('region', { name: 'Visits to sites' }).getByRole('row')).toHaveCount(3);
  await expectAccessibleLayouts(page);
  await page.getByPlaceholder('All trucks').click();
  await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/fleets/${target.usdot}/history?question=who`);
  await expect(page.getByText('Choose a site or an area.')).toBeVisible();
  await expectAccessibleLayouts(page);
  await page.goto(`/fleets/${target.usdot}/history?question=who&area=rectangle:25,-125,49,-67`);
  await page.getByRole('region', { name: 'Visits' }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Circle' }).click();
  await expect(page.getByText('Drag from the center outward.')).toBeVisible();
  await expectAccessibleLayouts(page);
});

test('axe finds nothing on the handover', LONG, async ({ page, target }) => {
  await page.goto(`/fleets/${target.usdot}/handover`);
  await expect(page.getByRole('region', { name: 'What changed' })).toBeVisible();
  await expectAccessibleLayouts(page);
});

test(
  'axe finds nothing on the sites, a form with a drawing, an import, the suggestions and one site',
  LONG,
  async ({ page, target }) => {
    const base = `/fleets/${target.usdot}/sites`;
    await page.goto(base);
    await expect(page.getByText('No sites yet')).toBeVisible();
    await expectAccessibleLayouts(page);
    const id = await addSite(target, 'Yard North', { type: 'circle', lat: 61.2, lng: -149.9, radiusM: 300 });
    await page.goto(base);
    await expect(page.getByRole('link', { name: /^Yard North/ })).toBeVisible();
    await expectAccessibleLayouts(page);
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByLabel('GeoJSON, KML, KMZ, CSV or Excel file').setInputFiles({
      name: 'sites.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('name,latitude,longitude,radius_m\nYard North,61.2,-149.9,400\n'),
    });
    await expect(page.getByRole('region', { name: 'Changed' })).toContainText('place');
    await expectAccessible(page, DIALOG);
    await page.goto(`${base}?edit=${id}`);
    await page.getByRole('button', { name: 'Polygon' }).click();
    await expect(page.getByText('Click or tap each corner')).toBeVisible();
    await expectAccessibleLayouts(page);
    await page.goto(`${base}?show=suggested`);
    await expect(page.getByText('Places at no site where your trucks stopped')).toBeVisible();
    await expectAccessibleLayouts(page);
    await page.goto(`${base}/${id}`);
    await expect(page.getByText('No truck came or left.')).toBeVisible();
    await expectAccessibleLayouts(page);
    await removeSites(target);
  },
);

test(
  'axe finds nothing on terms, visits to bill, statements, facilities and documents, and on their dialogs',
  LONG,
  async ({ page, request, target }) => {
    // Some twenty states.
    test.setTimeout(300_000);
    const { usdot } = target;
    const base = `/fleets/${usdot}`;
    const [unit] = (await readLiveUnits(request, usdot)).filter(({ hasPosition }) => hasPosition);
    const dialog = page.getByRole('dialog');
    const close = async (): Promise<void> => {
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    };
    const at = { lat: 45.6, lng: -121.1 };
    const siteId = await makeStay(target, { name: 'Acme Dalles', unit: unit!.key, at });

    await page.goto(`${base}/proof/terms`);
    await expect(page.getByRole('table', { name: 'Terms' })).toContainText('Acme Dalles');
    await expectAccessibleLayouts(page);
    await page.getByRole('button', { name: 'Add terms…' }).click();
    await dialog.getByLabel(/^Rate/).fill('much');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.locator('[aria-invalid=true]').first()).toBeVisible();
    await expectAccessible(page, DIALOG);
    await close();
    for (const name of ['Change', 'Remove']) {
      await page.getByRole('button', { name: `${name} the terms: Acme Dalles` }).click();
      await expect(dialog).toBeVisible();
      await expectAccessible(page, DIALOG);
      await close();
    }

    await page.goto(`${base}/proof/billable`);
    await expect(page.getByRole('table', { name: 'Visits to bill' })).toContainText('Acme Dalles');
    await expectAccessibleLayouts(page);

    await page.goto(`${base}/sites/${siteId}`);
    await expect(page.getByRole('button', { name: 'Statement about truck' })).toBeVisible();
    await expectAccessibleLayouts(page);
    await page.getByRole('button', { name: 'Statement about truck' }).click();
    await expect(dialog).toContainText('1 h 15 min at least');
    await expectAccessible(page, DIALOG);
    await page.getByRole('button', { name: 'Issue statement' }).click();
    await expect(page.getByRole('heading', { name: 'Statement issued' })).toBeVisible();
    await expectAccessible(page, DIALOG);
    const address = (await page.getByRole('link', { name: 'Open', exact: true }).getAttribute('href'))!;
    await close();

    await page.goto(`${base}/proof/statements`);
    await expect(page.getByRole('table', { name: 'Statements' })).toContainText('$75.00');
    await expectAccessibleLayouts(page);
    await page.goto(`${base}/proof`);
    await page
      .getByRole('button', { name: /^(Hide|Show) document / })
      .first()
      .click();
    await expect(dialog).toBeVisible();
    await expectAccessible(page, DIALOG);
    await close();
    await expectAccessibleLayouts(page);

    await page.goto('/settings');
    for (const name of [/^New key…/, /^Revoke…/]) {
      await page.getByRole('button', { name }).first().click();
      await expect(dialog).toBeVisible();
      await expectAccessible(page, DIALOG);
      await close();
    }

    await page.goto(`${base}/history?question=facilities`);
    await expect(page.getByRole('region', { name: /^Facilities by/ })).toContainText('Acme Dalles');
    await expectAccessibleLayouts(page);

    // They are no pages of the application, and scroll as documents do.
    const document = await page.context().newPage();
    for (const path of [address, '/verify', `/verify?number=${address.split('/').at(-1)!}`]) {
      await document.goto(path);
      await expectAccessibleAnswer(document);
    }
    await document.close();
    await removeSites(target);
  },
);

test('axe finds nothing on the roster and the pages of malformed numbers', LONG, async ({ page, target }) => {
  await page.goto(`/fleets/${target.usdot}/roster`);
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await expectAccessibleLayouts(page);
  await page.goto(`/fleets/${target.usdot}/units/90A`);
  await expect(page.getByRole('heading', { name: 'That is not a VIN' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/fleets/90A');
  await expect(page.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  await expectAccessible(page);
});

test('axe finds nothing on the pages that only a demo has', LONG, async ({ page, target }) => {
  // The demo has no users.
  await page.goto('/users');
  await expect(page.getByRole('button', { name: 'Invite a user' })).toBeDisabled();
  await expectAccessible(page);
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' });
  await page.goto(`/fleets/${target.usdot}`);
  await expect(page.getByRole('main')).toContainText('ACCOUNTS=required');
  await expectAccessible(page);
});
