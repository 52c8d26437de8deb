/** What pages are on paper: whole, at its width, with a head, and a map as it is shown. */
import { readUnits } from './support/api-unit';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { LONG } from './support/long';
import { expectWholeOnPaper, print } from './support/paper';
import { addSite, removeSites } from './support/sites';

test.setTimeout(300_000);

const CARRIER = 'Prairie Star Freight';

test('the map prints what it shows on one page, and the roster all of its rows', async ({ page, target }) => {
  const { open, canvas, counter } = createFleetPage(page);
  await open(target.usdot);
  await counter('Moving').click();
  await expectWholeOnPaper(page, CARRIER, 'Filter: Moving');
  const { width, height } = (await canvas.boundingBox())!;
  const { pages, pictures } = await print(page);
  expect(pages).toBe(1);
  expect(pictures).toContainEqual([width, height]);
  // The map is on the screen as before.
  expect(await canvas.boundingBox()).toMatchObject({ width, height });

  await page.goto(`/fleets/${target.usdot}/roster`);
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  const rows = Number(await page.getByRole('table').getAttribute('aria-rowcount'));
  expect(rows).toBeGreaterThan(300);
  expect((await expectWholeOnPaper(page, 'Roster', CARRIER)).rows).toBe(rows);
  expect((await print(page)).pages).toBeGreaterThan(rows / 30);
  await expect(page.getByRole('row')).not.toHaveCount(rows);
});

test('every page prints whole', LONG, async ({ page, api, target }) => {
  const fleet = `/fleets/${target.usdot}`;
  const [unit] = (await readUnits(api, target.usdot)).filter(({ coordinates }) => coordinates !== null);
  const id = await addSite(target, 'Yard North', { type: 'circle', lat: 61.2, lng: -149.9, radiusM: 300 });
  for (const [path, mark] of [
    [`${fleet}?unit=${unit?.vin}`, 'Public record'],
    [`${fleet}/units/${unit?.vin}`, 'Public record'],
    [`${fleet}/units/${unit?.vin}?view=day`, 'Straight lines between fixes'],
    [`${fleet}/history`, 'More formats'],
    [`${fleet}/history?question=miles`, 'By truck'],
    [`${fleet}/history?question=who&area=rectangle:25,-125,49,-67`, /[\d,]+ trucks?, [\d,]+ visits?/],
    [`${fleet}/handover`, / to /],
    [`${fleet}/sites`, 'Yard North'],
    [`${fleet}/sites/${id}`, 'Yard North'],
    [`${fleet}/alerts`, 'Alert notifications'],
    [`${fleet}/roster`, 'Save as CSV'],
    ['/devices', 'Connect a driver’s phone'],
    ['/users', 'ACCOUNTS=required'],
    ['/audit', 'Audit log'],
    ['/settings', 'Where the fleets come from'],
    ['/status', 'Feeds'],
    ['/help', 'Kinds of silence'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('main').getByText(mark).filter({ visible: true }).first()).toBeVisible();
    await expectWholeOnPaper(page, 'Linehaul', ...(path.startsWith(fleet) ? [CARRIER] : []));
    expect((await print(page)).pages).toBeGreaterThan(0);
  }
  await removeSites(target);
});
