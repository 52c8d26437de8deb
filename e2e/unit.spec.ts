import { DEMO_SEED } from '@/service/demo/seed';
import { DEMO_SPECIMENS } from '@/testing/service/demo-specimens';
import { createVehicle, toTruckNumber } from '@/service/simulator/vehicles';
import { readUnits, type ApiUnit } from './support/api-unit';
import { expect, test, type TrackingApi } from './support/fixtures';
import { LONG } from './support/long';
import { createFleetPage, factOf, readCount } from './support/fleet-page';
import { readLiveUnits } from './support/live-fleet';
import { watchViolations } from './support/violations';
import type { Locator } from '@playwright/test';

interface ApiCarrier {
  mcNumber: string;
  usDotNumber: string;
}

/** A well-formed VIN with a correct check digit that no fleet has. */
const UNKNOWN_VIN = '1M8GDM9AXKP042788';

/** Compares the stationary facts with the API's unit and its VIN's carrier. */
const expectFacts = async (within: Locator, unit: ApiUnit, carrier: ApiCarrier): Promise<void> => {
  const { vin, make, model, year, assetType, fuelType, licensePlate, deviceId } = unit;
  const expected: [name: string, value: string][] = [
    ['VIN', vin],
    ['Make, model', `${make} ${model}`],
    ['Year', String(year)],
    ['Type, fuel', `${assetType} · ${fuelType}`],
    ['Plate', `${licensePlate.state} · ${licensePlate.number}`],
    ['Device', deviceId],
    ['USDOT', carrier.usDotNumber],
    ['MC number', carrier.mcNumber],
  ];
  for (const [name, value] of expected) await expect(factOf(within, name)).toHaveText(value);
  await expect(within.getByRole('link', { name: /FMCSA company snapshot/ })).toHaveAttribute(
    'href',
    new RegExp(carrier.usDotNumber),
  );
};

/** Half of the last displayed digit, plus floating-point error. */
const ROUNDED_DEG = 0.5e-5 + 1e-9;

/** The coordinates on the screen are those of a fix that the API reported at about the same time. */
const expectCoordinates = async (within: Locator, api: TrackingApi, usdot: string, vin: string) => {
  const fixes: { lat: number; lng: number }[] = [];
  await expect(async () => {
    const { coordinates } = await api.read<ApiUnit>(`/api/units/${usdot}/${vin}`);
    fixes.push(coordinates!);
    const shown = (await factOf(within, 'Coordinates').textContent())?.replaceAll('−', '-') ?? '';
    const [lat = NaN, lng = NaN] = shown.split(', ').map(Number);
    const isShown = (fix: { lat: number; lng: number }) =>
      Math.abs(fix.lat - lat) <= ROUNDED_DEG && Math.abs(fix.lng - lng) <= ROUNDED_DEG;
    expect(fixes.some(isShown), `${shown}, of ${JSON.stringify(fixes.slice(-3))}`).toBe(true);
  }).toPass({ timeout: 45_000, intervals: [500] });
};

const requireUnit = async (api: TrackingApi, usdot: string, own: boolean): Promise<[ApiUnit, ApiCarrier]> => {
  for (const unit of await readUnits(api, usdot)) {
    const carrier = await api.read<ApiCarrier>(`/api/carrier/${unit.vin}`);
    if ((carrier.usDotNumber === usdot) === own && unit.coordinates) return [unit, carrier];
  }
  throw new Error(`No unit with a VIN of ${own ? 'this' : 'another'} carrier.`);
};

test("the panel and the vehicle's page show the unit and the carrier of the API", async ({
  page,
  api,
  target,
}) => {
  const [unit, carrier] = await requireUnit(api, target.usdot, true);
  const { panel, search, open } = createFleetPage(page);
  await open(target.usdot, `?unit=${unit.vin}`);
  await expect(panel.getByRole('heading', { name: `Truck ${unit.truckNumber}` })).toBeVisible();
  await expectFacts(panel, unit, carrier);
  await expect(panel.getByText('this fleet')).toBeVisible();
  // As over plain HTTP from another machine.
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'));
  await panel.getByRole('button', { name: 'Copy VIN' }).click();
  await expect(page.getByText('VIN copied')).toBeAttached();
  await search.press('ControlOrMeta+v');
  await expect(search).toHaveValue(unit.vin);
  await search.fill('');
  await page.evaluate(() => (document.execCommand = () => false));
  await panel.getByRole('button', { name: 'Copy link' }).click();
  await expect(panel.getByRole('button', { name: 'Could not copy' })).toBeVisible();
  await expectCoordinates(panel, api, target.usdot, unit.vin);

  await panel.getByRole('link', { name: 'Open truck' }).click();
  await expect(page).toHaveURL(`/fleets/${target.usdot}/units/${unit.vin}`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1, name: `Truck ${unit.truckNumber}` })).toBeVisible();
  await expect(main.getByText(/^Provider data from \d{1,2}:\d\d:\d\d [AP]M$/)).toBeVisible();
  await expectFacts(main, unit, carrier);
  await expectCoordinates(main, api, target.usdot, unit.vin);

  // The page's map stops following when it is dragged, and follows again on request.
  const map = page.getByRole('region', { name: 'Map of the fleet' });
  const follow = page.getByRole('button', { name: /^Follow/ });
  await expect(follow).toHaveAccessibleName('Following');
  const { x, y, width, height } = (await map.boundingBox())!;
  const isInTheMiddle = async () => {
    const [atX, atY] = ((await map.getAttribute('data-selected-at')) ?? '').split(',').map(Number);
    return Math.abs(atX! - width / 2) < 40 && Math.abs(atY! - height / 2) < 40;
  };
  await expect.poll(isInTheMiddle).toBe(true);

  await page.mouse.move(x + width / 3, y + height / 3);
  await page.mouse.down();
  await page.mouse.move(x + width / 3 + 120, y + height / 3 + 120, { steps: 6 });
  await page.mouse.up();
  await expect(follow).toHaveAccessibleName('Follow');
  await expect.poll(isInTheMiddle).toBe(false);
  await follow.click();
  await expect.poll(isInTheMiddle).toBe(true);

  await main.getByRole('link', { name: 'On the map' }).click();
  await expect(panel.getByRole('heading', { name: `Truck ${unit.truckNumber}` })).toBeVisible();
});

test('the HTML of a vehicle’s page shows the unit, and becomes live without an error', async ({
  page,
  api,
  target,
  request,
}) => {
  const [unit] = await requireUnit(api, target.usdot, true);
  const path = `/fleets/${target.usdot}/units/${unit.vin}`;
  const title = `>Truck ${unit.truckNumber}</h1>`;
  // The first page after a pause begins to read the fleet, and does not wait for it.
  await expect.poll(async () => (await request.get(path)).text()).toContain(title);

  const found = await watchViolations(page);
  await page.goto(path);
  await expect(page.getByText(/^Provider data from \d{1,2}:\d\d:\d\d [AP]M$/)).toBeVisible();
  await test.step('the 24-hour clock is chosen with the keyboard, and kept', async () => {
    await page.getByRole('button', { name: 'Theme and clock' }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: '24-hour clock', checked: false }).press('Enter');
    const answered = page.getByText(/^Provider data from \d\d:\d\d:\d\d$/);
    await expect(answered).toBeVisible();
    await page.reload();
    await expect(answered).toBeVisible();
  });
  expect(found()).toEqual([]);
});

test('the panel shows that a VIN is registered to another carrier', async ({ page, api, target }) => {
  const [unit, carrier] = await requireUnit(api, target.usdot, false);
  const { panel, open } = createFleetPage(page);
  await open(target.usdot, `?unit=${unit.vin}`);
  await expectFacts(panel, unit, carrier);
  await expect(panel.locator('[data-verdict="wrong"]').getByText('check lease')).toBeVisible();
  // The feed confirms the first answer about the carrier in a pause between polls that is long enough.
  const flag = panel.getByRole('listitem').filter({ hasText: 'Check lease' });
  await expect(flag).toContainText(`USDOT ${carrier.usDotNumber} (${carrier.mcNumber})`, { timeout: 90_000 });
});

test("the roster holds every VIN of the API's list, including a silent one", async ({
  page,
  api,
  target,
  request,
}) => {
  const vins = await api.read<string[]>(`/api/vin-numbers/${target.usdot}`);
  await page.goto(`/fleets/${target.usdot}/roster`);
  await expect(page.getByText(`${vins.length} VINs of USDOT ${target.usdot}`)).toBeVisible();
  const states = page.getByRole('group', { name: 'Trucks to list' });
  const countOf = (name: RegExp) => readCount(states.getByRole('button', { name }));
  const active = new Set((await readUnits(api, target.usdot)).map(({ vin }) => vin));
  const strangers = [...active].filter((vin) => !vins.includes(vin)).length;
  await expect.poll(() => countOf(/^All/)).toBe(vins.length + strangers);
  await expect.poll(() => countOf(/^Not on roster/)).toBe(strangers);
  await expect(page.getByRole('table')).toHaveAttribute('aria-rowcount', String(vins.length + strangers + 1));
  expect((await countOf(/^Active/)) + (await countOf(/^Silent/))).toBe(vins.length);

  const live = await readLiveUnits(request, target.usdot);
  const silent = live.find(({ reason }) => reason === 'neverSeen')?.vin;
  expect(silent).toBeDefined();
  expect(vins).toContain(silent);
  expect((await readUnits(api, target.usdot)).map(({ vin }) => vin)).not.toContain(silent);
  await page.getByRole('combobox', { name: 'Search' }).fill(silent!);
  const silentLine = page.getByRole('row').filter({ hasText: silent! });
  await expect(silentLine).toContainText('Silent');
  // The list of VINs has no other data about it; the store of an embedded service has.
  await expect(silentLine).toContainText(/ or .+ by its VIN|\d{4} [A-Z]\w+ \w+/);

  const [unit] = await requireUnit(api, target.usdot, true);
  await page.getByRole('combobox', { name: 'Search' }).fill(unit.vin);
  const line = page.getByRole('row').filter({ hasText: unit.vin });
  await expect(line).toContainText(unit.truckNumber);
  await expect(line).toContainText(`${unit.year} ${unit.make} ${unit.model}`);
  await expect(line).toContainText(`${unit.licensePlate.state} · ${unit.licensePlate.number}`);
  await line.getByRole('link').click();
  await expect(page).toHaveURL(`/fleets/${target.usdot}/units/${unit.vin}`);
});

test(
  'a VIN that the provider does not know is shown differently from one that never reported',
  LONG,
  async ({ page, api, target }) => {
    const main = page.getByRole('main');
    await page.goto(`/fleets/${target.usdot}/units/${UNKNOWN_VIN}`);
    await expect(main).toContainText('The provider does not know this VIN.');
    await expect(factOf(main, 'VIN')).toHaveText(UNKNOWN_VIN);

    const [truck] = DEMO_SPECIMENS.neverReporting;
    const vins = await api.read<string[]>(`/api/vin-numbers/${target.usdot}`);
    const { vin } = createVehicle(DEMO_SEED, Number(truck) - Number(toTruckNumber(0)), {
      hasBadVin: false,
      isLeased: false,
      hasWrongYear: false,
    });
    expect(vins).toContain(vin);
    await page.goto(`/fleets/${target.usdot}/units/${vin}`);
    await expect(main).toContainText('The provider knows this truck, but it has never reported.');
    await expect(factOf(main, 'VIN')).toHaveText(vin);
  },
);

test('an address with a malformed VIN shows the reason', LONG, async ({ page, target, request }) => {
  const response = await page.goto(`/fleets/${target.usdot}/units/1FUJGLDR5CSBP88I`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'That is not a VIN' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('1FUJGLDR5CSBP88I');

  const problem = await request.get(`/api/fleets/${target.usdot}/units/1FUJGLDR5CSBP88I`);
  expect(problem.status()).toBe(400);
  expect(problem.headers()['content-type']).toContain('application/problem+json');
  expect(await problem.json()).toMatchObject({ status: 400, code: 'malformed-vin' });
});

test('an address with a malformed USDOT number shows the reason', LONG, async ({ page, request }) => {
  const response = await page.goto('/fleets/90A');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'No such fleet' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('“90A”');
  await page.getByRole('link', { name: 'Open the fleet map' }).click();
  await expect(page).toHaveURL(/\/fleets\/\d+/);

  const problem = await request.get('/api/fleets/90A/live');
  expect(problem.status()).toBe(400);
  expect(problem.headers()['content-type']).toContain('application/problem+json');
  expect(await problem.json()).toMatchObject({ status: 400, code: 'malformed-usdot' });
});

test('a unit that is not in the fleet is shown as missing, with a way on', async ({ page, target }) => {
  const { panel, open } = createFleetPage(page);
  await open(target.usdot, `?unit=${UNKNOWN_VIN}`);
  await expect(panel.getByRole('heading', { name: 'No such truck here' })).toBeVisible();
  await expect(panel).toContainText(UNKNOWN_VIN);
  await panel.getByRole('link', { name: 'Look up this VIN' }).click();
  await expect(page).toHaveURL(`/fleets/${target.usdot}/units/${UNKNOWN_VIN}`);
});
