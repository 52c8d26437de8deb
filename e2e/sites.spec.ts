/**
 * A fleet's sites: one drawn by mouse and changed by keyboard, others from a file, on the map, as the place of a unit, and
 * with a visit. lib/sites/watch and lib/live test which visits come of fixes.
 */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { strToU8, zipSync } from 'fflate';
import pg from 'pg';
import { readUnits } from './support/api-unit';
import { openDialog } from './support/dialog';
import { expect, test } from './support/fixtures';
import { createFleetPage } from './support/fleet-page';
import { LONG } from './support/long';
import { clickAt, drawSite, listOfSites, removeSites, takeTool } from './support/sites';
import { MINUTE_MS } from '@/lib/base/time';

/** Where no truck of the demo is: the visits are those that the test makes. */
const FILE = [
  'name,kind,latitude,longitude,corners,opening_hours',
  'Yard North,yard,61.2,-149.9,,"Mon-Fri 08:00-17:00; America/Anchorage"',
  'Port,no-go,,,"61.21 -149.92; 61.25 -149.92; 61.25 -149.88"',
].join('\n');
const EARTH = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><name>Yards</name>
<Placemark><name>Terminal</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
-149.9,61.2,12 -149.8,61.2,12 -149.8,61.3,12 -149.9,61.2,12</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
<GroundOverlay><name>Plan</name><LatLonBox><north>62</north><south>61</south><east>-149</east><west>-150</west></LatLonBox></GroundOverlay>
<Placemark><name>Route</name><LineString><coordinates>-149.9,61.2 -149.8,61.2</coordinates></LineString></Placemark>
</Folder></Document></kml>`;

test.afterEach(({ target }) => removeSites(target));

const changeByKeyboard = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Edit Plant Bend' }).press('Enter');
  const replace = async (label: string, text: string): Promise<void> => {
    await page.getByLabel(label, { exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  };
  await replace('Latitude', '144.05');
  await expect(page.getByText('A latitude is a number from -85 to 85.')).toBeVisible();
  await replace('Latitude', '44.05');
  await replace('Longitude', '-121.3');
  await replace('Radius', '500');
  await page.getByLabel('Notes').fill('Ring twice');
  await page.getByLabel('Opening hours').selectOption('At these hours');
  await page.getByLabel('From').fill('07:00');
  await page.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(listOfSites(page)).toBeVisible();
  await page.getByRole('combobox', { name: 'Search' }).fill('twice');
  await expect(listOfSites(page).getByRole('listitem')).toHaveCount(1);
};

const choose = (page: Page, name: string, text: string | Uint8Array): Promise<void> =>
  page
    .getByLabel('GeoJSON, KML, KMZ, CSV or Excel file')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) });

const importFile = async (page: Page): Promise<void> => {
  await openDialog(page.getByRole('button', { name: 'Import' }));
  await choose(page, 'sites.csv', FILE);
  await expect(page.getByRole('region', { name: 'Errors' })).toContainText(
    /Line 2\s*Yard North\s*A point needs a radius/,
  );
  await expect(page.getByRole('button', { name: 'Import', exact: true }).last()).toBeDisabled();
  // As Google Earth has it: in folders, with heights, and with what is no site.
  await choose(page, 'earth.kml', EARTH);
  await expect(page.getByRole('region', { name: 'Errors' })).toContainText(/Placemark 2\s*Route/);
  await choose(
    page,
    'earth.kml',
    EARTH.replace(/<Placemark>(?:(?!<Placemark>).)*Route.*?<\/Placemark>/s, ''),
  );
  await expect(page.getByText('Ready to import: 1 to add, 0 to change, 0 unchanged.')).toBeVisible();
  const document = EARTH.replace(/<Placemark>(?:(?!<Placemark>).)*Route.*?<\/Placemark>/s, '');
  // With prefixes, and with the files that macOS adds.
  const prefixed = document.replaceAll(/<(\/?)(?=[A-Za-z])/g, '<$1kml:').replace('xmlns=', 'xmlns:kml=');
  const packed = { 'doc.kml': strToU8(prefixed), '__MACOSX/._doc.kml': strToU8('junk') };
  await choose(
    page,
    'link.kml',
    document.replace(/<Folder>.*<\/Folder>/s, '<NetworkLink><name>All</name></NetworkLink>'),
  );
  await expect(page.getByRole('region', { name: 'Errors' })).toContainText('it links to a file elsewhere');
  await choose(page, 'broken.kml', document.replace('</Folder>', ''));
  await expect(page.getByRole('region', { name: 'Errors' })).toContainText(/it has an error in line \d/);
  await choose(page, 'earth.kmz', zipSync(packed));
  await expect(page.getByText('Ready to import: 1 to add, 0 to change, 0 unchanged.')).toBeVisible();
  await choose(page, 'sites.csv', FILE);
  await page.getByLabel('Radius of points without one').fill('800');
  await expect(page.getByText('Ready to import: 2 to add, 0 to change, 0 unchanged.')).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 sites' }).click();
  await expect(page.getByText('Imported: 2 added, 0 changed, 0 unchanged.')).toBeVisible();
  // Another file replaces all of the one before, also one that is refused.
  await choose(page, 'more.csv', FILE.replace('Port', 'Pier'));
  await expect(page.getByText('Ready to import: 1 to add, 0 to change, 1 unchanged.')).toBeVisible();
  await choose(page, 'large.csv', ' '.repeat(5 * 1024 * 1024 + 1));
  await expect(page.getByText('The file is larger than 5 MB.')).toBeVisible();
  await page.getByLabel('Radius of points without one').fill('900');
  await expect(page.getByRole('button', { name: 'Import', exact: true }).last()).toBeDisabled();
  await page.getByRole('button', { name: 'Cancel' }).click();
};

/** What was exported changes nothing when it is imported. */
const exportAll = async (page: Page): Promise<void> => {
  for (const [format, sign] of [
    ['CSV', 'name,latitude'],
    ['KML', '<kml'],
    ['GeoJSON', 'FeatureCollection'],
  ] as const) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: format, exact: false }).first().click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    expect(text).toContain(sign);
    expect(text).toMatch(/Mon-Fri 07:00-\d\d:00; America\//);
    await openDialog(page.getByRole('button', { name: 'Import' }));
    await choose(page, `sites.${format}`, text);
    await expect(page.getByText('Nothing to import: 3 unchanged.'), format).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
  }
};

/** A visit of a unit that is there still. */
const insertVisit = async (
  databaseUrl: string,
  { usdot, siteId, unit, arrivedMs }: { usdot: string; siteId: number; unit: string; arrivedMs: number },
): Promise<void> => {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    await client.query(
      `INSERT INTO linehaul.site_visits (usdot, site_id, unit, arrived_after_ms, arrived_ms) VALUES ($1, $2, $3, $4, $5)`,
      [usdot, siteId, unit, arrivedMs - 20 * MINUTE_MS, arrivedMs],
    );
  } finally {
    await client.end();
  }
};

test('a site is drawn, changed, imported, exported, shown on the map, the place of a unit, and deleted', async ({
  page,
  api,
  target,
}) => {
  test.setTimeout(120_000);
  const { usdot, application } = target;
  const sitesPage = `/fleets/${usdot}/sites`;
  await page.goto(sitesPage);
  await test.step('drawn by mouse', () => drawSite(page));
  await test.step('changed by numbers', () => changeByKeyboard(page));
  await test.step('imported', () => importFile(page));
  await test.step('exported', () => exportAll(page));

  const fleet = createFleetPage(page);
  await test.step('on the map', async () => {
    await fleet.open(usdot, '?at=@61.22,-149.9,12');
    await expect(page.getByRole('button', { name: 'Sites', pressed: false })).toBeVisible();
    await page.keyboard.press('s');
    await expect(page).toHaveURL(/&sites=on/);
    await expect(fleet.canvas).toHaveAttribute('data-drawn-sites', '2');
    await page.reload();
    await expect(fleet.canvas).toHaveAttribute('data-drawn-sites', '2');
    await page.getByRole('button', { name: 'Sites', pressed: true }).click();
    await expect(page).not.toHaveURL(/sites=on/);
  });

  const [unit] = (await readUnits(api, usdot)).filter(({ coordinates }) => coordinates !== null);
  await page.goto(sitesPage);
  const href = await listOfSites(page).getByRole('link', { name: 'Yard North' }).getAttribute('href');
  const siteId = Number(/\d+$/.exec(href!)![0]);
  const arrivedMs = Math.floor(Date.now() / 1000) * 1000;
  // The millisecond after it: a moment that was read is kept, without the visit.
  await expect
    .poll(async () => (await application.fetch(`/api/fleets/${usdot}/past?at=${arrivedMs + 1}`)).status)
    .toBe(200);
  await insertVisit(application.databaseUrl, { usdot, siteId, unit: unit!.vin, arrivedMs });

  await test.step('its visits lead to their moments, which name it as the place', async () => {
    await page.goto(href!);
    await expect(page.getByRole('region', { name: 'Here now 1' })).toContainText(unit!.truckNumber!);
    await page
      .getByRole('region', { name: 'Visits' })
      .getByRole('link', { name: /^Arrived between/ })
      .click();
    await expect(page).toHaveURL(/[?&]past=/);
    await expect(fleet.panel).toContainText('Yard North');
    await expect(page.locator('[role=option][aria-selected=true]')).toContainText('Yard North');
    await fleet.search.fill('yard north');
    await expect(fleet.options).toHaveCount(1);
    await fleet.search.fill('');
    await page.getByRole('button', { name: /^Filter by flag, tag or site/ }).click();
    await page.getByRole('menuitemcheckbox', { name: /^Yard North\s*1$/ }).click();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(new RegExp(`[?&]site=${siteId}`));
    await expect(fleet.options).toHaveCount(1);
  });

  await test.step('deleted', async () => {
    await page.goto(href!);
    await openDialog(page.getByRole('button', { name: 'Delete…' }));
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/api${sitesPage}/${siteId}`, (route) => held.then(() => route.continue()));
    await page.getByRole('button', { name: 'Delete site' }).click();
    // A dialog stays until its answer is there.
    const dialog = page.getByRole('dialog');
    for (const name of ['Cancel', 'Close']) await expect(dialog.getByRole('button', { name })).toBeDisabled();
    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    await expect(dialog).toBeVisible();
    answer();
    await expect(page).toHaveURL(sitesPage);
    await expect(listOfSites(page).getByRole('listitem')).toHaveText([/^Plant Bend/, /^Port/]);
  });
});

test(
  'a polygon is drawn by mouse or typed by keyboard alone, and a suggested place is a site in a click',
  LONG,
  async ({ page, target }) => {
    const sitesPage = `/fleets/${target.usdot}/sites`;
    await page.goto(sitesPage);

    await test.step('drawn by mouse, and a corner dragged', async () => {
      await page.getByRole('button', { name: 'Add the first site' }).click();
      const { x, y } = await takeTool(page, 'Lot', 'Draw a polygon');
      for (const [right, down] of [
        [-80, -60],
        [80, -60],
        [80, 60],
        [-80, -60],
      ] as const)
        await clickAt(page, x + right, y + down);
      const corners = page.getByLabel('Corners');
      await expect(corners).toHaveValue(/^(44\.\d+, -121\.\d+\n?){3}$/);
      const drawn = await corners.inputValue();
      await page.mouse.move(x - 80, y - 60);
      await page.mouse.down();
      await page.mouse.move(x - 120, y - 90, { steps: 5 });
      await page.mouse.up();
      await expect(corners).not.toHaveValue(drawn);
      await page.getByRole('button', { name: 'Add site' }).click();
      await expect(listOfSites(page)).toContainText('LotYard · Bend, OR');
    });

    await test.step('typed by keyboard alone', async () => {
      const press = async (name: string): Promise<void> => {
        const button = page.getByRole('button', { name, exact: true });
        while (!(await button.evaluate((element) => element === document.activeElement)))
          await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
      };
      await press('Add site');
      await expect(page.getByLabel('Name')).toBeFocused();
      await page.keyboard.type('Ramp');
      await press('Enter corners');
      await expect(page.getByLabel('Corners')).toBeFocused();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('45.51, -122.68\n45.52, -122.66\n45.50, -122.65');
      await press('Add site');
      await expect(listOfSites(page)).toContainText('RampYard · Portland, OR');
    });

    await test.step('suggested', async () => {
      const place = { lat: 46.59, lng: -112.03, radiusM: 120, stops: 9, units: 4, medianMs: 40 * MINUTE_MS };
      const answer = { fromMs: Date.now() - 14 * 24 * 60 * MINUTE_MS, toMs: Date.now(), stops: 9 };
      // The demo is too young to have stopped anywhere often; lib/sites/cluster-stops.test.ts tests which places are found.
      await page.route(`**/api${sitesPage}/suggested`, (route) =>
        route.fulfill({ json: { ...answer, places: [place] } }),
      );
      await page.getByRole('button', { name: 'Suggested' }).click();
      await page.getByRole('button', { name: 'Edit and add Stop in Helena, MT' }).click();
      await page.goBack();
      await page.goBack();
      await page.getByRole('button', { name: 'Add site' }).click();
      await expect(page.getByLabel('Name')).toHaveValue('');
      await page.goBack();
      await page.getByRole('button', { name: 'Suggested' }).click();
      const places = page.getByRole('region', { name: 'Suggested places' });
      await expect(places).toContainText('9 stops · 4 trucks · usually 40 min');
      await expect(
        page.getByText(/stopped at least 5 times in the last 14 days\. A stop counts from \d+ minutes on/),
      ).toBeVisible();
      await page.getByRole('button', { name: 'Add Stop in Helena, MT', exact: true }).click();
      // It is a site before the suggestions are read again.
      await expect(places.getByRole('listitem')).toHaveCount(0);
      await page.getByRole('button', { name: 'Back to the list' }).click();
      await expect(listOfSites(page)).toContainText('Stop in Helena, MTOther');
    });
  },
);
